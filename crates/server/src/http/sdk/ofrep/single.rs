//! `POST /evaluate/flags/{key}`: one feature, for providers of servers, whose context is another each time.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::app::serving::client;
use crate::http::extract::parameters::Path;
use crate::http::problem::Problem;
use crate::http::sdk::guard::EitherKey;
use crate::http::sdk::ofrep::context;
use crate::http::sdk::ofrep::failure::{ErrorCode, Failure};
use crate::http::sdk::ofrep::flag::Flag;

/// Evaluates a feature.
pub async fn one(
    State(app): State<Arc<App>>,
    EitherKey { key, .. }: EitherKey,
    Path(feature): Path<String>,
    request: Request,
) -> Result<Response, Response> {
    let user = context::user(request, Some(&feature)).await?;
    let now = client::current(&app, &key).map_err(|error| Problem::from(error).into_response())?;
    let Some(known) = now.snapshot.feature(&feature) else {
        let details = "There is no such feature, or it is archived.";
        return Err(Failure::new(ErrorCode::FlagNotFound, details).of(&feature).into_response());
    };
    let headers = [(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))];
    Ok((headers, Json(Flag::of(known, &user, now.at))).into_response())
}
