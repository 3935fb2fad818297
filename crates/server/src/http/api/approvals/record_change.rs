//! The change of a feature that an approval is for.

use flagservice_core::Key;
use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::approval::RecordChange;
use crate::domain::feature::{Feature, Lifecycle, ValueType};

/// A change or deletion of a feature.
#[derive(Serialize, ToSchema)]
#[schema(as = FeatureChange)]
pub struct RecordChangeView {
    /// The feature before the change.
    before: RecordView,
    /// The feature after the change; null if it is deleted.
    after: Option<RecordView>,
}

/// What an approver sees of a feature.
#[derive(Serialize, ToSchema)]
#[schema(as = FeatureRecord)]
#[serde(rename_all = "camelCase")]
pub struct RecordView {
    name: String,
    description: String,
    lifecycle: Lifecycle,
    variants: Vec<Key>,
    #[serde(rename = "type")]
    value_type: ValueType,
    tags: Vec<String>,
    approval_required: bool,
}

impl From<RecordChange> for RecordChangeView {
    fn from(RecordChange { before, after }: RecordChange) -> Self {
        Self { before: before.into(), after: after.map(RecordView::from) }
    }
}

impl From<Feature> for RecordView {
    fn from(feature: Feature) -> Self {
        Self {
            name: feature.name,
            description: feature.description,
            lifecycle: feature.lifecycle,
            variants: feature.variants,
            value_type: feature.value_type,
            tags: feature.tags,
            approval_required: feature.approval_required,
        }
    }
}
