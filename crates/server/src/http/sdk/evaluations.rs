//! The evaluations in a request of goals: those of a page, which stand for those of others, or those of a service, which are exact.

use std::collections::BTreeMap;

use flagservice_rules::Instant;
use serde::Deserialize;

use crate::domain::insights::{ClientKind, EvaluationSummary, Evaluations};
use crate::error::{AppError, Result};

/// The most features in one request of a service.
const MAX_FEATURES: usize = 1_000;

/// The evaluations in a request, by feature.
#[derive(Default, Deserialize)]
#[serde(transparent)]
pub(super) struct EvaluationsRequest(BTreeMap<String, EvaluatedRequest>);

/// The evaluations of a feature.
#[derive(Deserialize)]
#[serde(untagged)]
enum EvaluatedRequest {
    /// A page says which variant it has shown.
    Variant(String),
    /// A service says how often it has evaluated each variant.
    Counts(BTreeMap<String, u64>),
}

impl EvaluationsRequest {
    /// The variant of each feature that a page has evaluated.
    ///
    /// # Errors
    /// [`AppError::Invalid`] if they are those of a service.
    pub(super) fn of_page(self) -> Result<BTreeMap<String, String>> {
        let variant = |(feature, evaluated)| match evaluated {
            EvaluatedRequest::Variant(variant) => Ok((feature, variant)),
            EvaluatedRequest::Counts(_) => {
                Err(invalid("A page sends the variant of each feature; counts come from services."))
            }
        };
        self.0.into_iter().map(variant).collect()
    }

    /// What a service has evaluated. The id makes it count once.
    ///
    /// # Errors
    /// [`AppError::Invalid`] if they are those of a page, too many, or without a valid id.
    pub(super) fn of_service(self, id: Option<&str>, at: Instant) -> Result<Option<EvaluationSummary>> {
        if self.0.is_empty() {
            return Ok(None);
        }
        if self.0.len() > MAX_FEATURES {
            return Err(invalid(&format!("Send the evaluations of at most {MAX_FEATURES} features in one request.")));
        }
        let counts = |(feature, evaluated)| match evaluated {
            EvaluatedRequest::Counts(counts) => Ok((feature, counts)),
            EvaluatedRequest::Variant(_) => {
                Err(invalid("A service sends how often it has evaluated each variant, such as { \"on\": 120 }."))
            }
        };
        let evaluations: Evaluations = self.0.into_iter().map(counts).collect::<Result<_>>()?;
        let id = id.unwrap_or_default().to_owned();
        let summary = EvaluationSummary { id, client: ClientKind::Server, at, evaluations };
        summary.check().map_err(|(field, detail)| AppError::invalid(&format!("/{field}"), detail))?;
        Ok(Some(summary))
    }
}

fn invalid(detail: &str) -> AppError {
    AppError::invalid("/evaluations", detail)
}
