//! `POST /evaluate/flags/{key}`: evaluates one feature. Providers in servers use it, with another context each time.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::http::extract::parameters::Path;
use crate::http::problem::Problem;
use crate::http::sdk::guard::EitherKey;
use crate::http::sdk::ofrep::context;
use crate::http::sdk::ofrep::failure::{ErrorCode, Failure};
use crate::http::sdk::ofrep::flag::Flag;
use crate::serving::Serving;
use crate::serving::client;

/// Evaluates a feature.
pub async fn evaluate_one(
    State(serving): State<Arc<Serving>>,
    EitherKey { key, .. }: EitherKey,
    Path(feature): Path<String>,
    request: Request,
) -> Result<Response, Response> {
    let user = context::user(request, Some(&feature)).await?;
    let now = client::current(&serving, &key).map_err(|error| Problem::from(error).into_response())?;
    let (snapshot, user) = (Arc::clone(&now.snapshot), Arc::new(user));
    let of_user = Arc::clone(&user);
    let respond = move || {
        let Some(known) = now.snapshot.feature(&feature) else {
            let details = "This feature does not exist or is archived.";
            return Failure::new(ErrorCode::FlagNotFound, details).for_feature(&feature).into_response();
        };
        let headers = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
        (headers, Json(Flag::evaluate(known, &of_user, now.at))).into_response()
    };
    let response = client::evaluate(&serving, &snapshot, &user, respond).await;
    response.map_err(|error| Problem::from(error).into_response())
}
