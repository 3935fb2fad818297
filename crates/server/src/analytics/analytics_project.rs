//! An analytics project as a destination: an annotation, and the category that it needs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::HeaderValue;
use serde::Serialize;
use serde_json::json;

use crate::analytics::annotation::{Annotation, CATEGORY};
use crate::analytics::connection::{Answer, Connector, Post, Response};
use crate::app::BaseUrl;
use crate::app::secrets::credentials::Keys;

/// An annotation for an analytics project.
pub(super) struct AnalyticsProject<'a> {
    pub(super) url: &'a BaseUrl,
    pub(super) keys: &'a Keys,
    pub(super) annotation: Annotation,
}

impl AnalyticsProject<'_> {
    /// Posts the annotation, and creates the category first if needed.
    pub(super) async fn send(&self, connector: &Connector, create_category: bool) -> Answer {
        if create_category {
            let category = json!({ "category": CATEGORY });
            let response = self.post(connector, "annotation-categories", &category).await?;
            if !response.status.is_success() && response.status != StatusCode::CONFLICT {
                return Ok((response, Some("The category could not be created: ")));
            }
        }
        Ok((self.post(connector, "annotations", &self.annotation).await?, None))
    }

    async fn post(&self, connector: &Connector, resource: &str, body: &impl Serialize) -> Result<Response, String> {
        let body = serde_json::to_vec(body).map_err(|error| error.to_string())?;
        let url = format!("{}/api/3/{resource}", self.url);
        let authorization = format!("Basic {}", self.basic_credentials());
        let mut authorization = HeaderValue::try_from(authorization).map_err(|error| error.to_string())?;
        authorization.set_sensitive(true);
        let headers = vec![("Authorization", authorization)];
        let post = Post { url: &url, headers, body: Bytes::from(body), reach: None };
        connector.post(post).await.map_err(|error| error.to_string())
    }

    fn basic_credentials(&self) -> String {
        let Keys { api_key, secret_key } = self.keys;
        STANDARD.encode(format!("{}:{}", api_key.reveal(), secret_key.reveal()))
    }

    /// What no log shows.
    pub(super) fn secrets(&self) -> Vec<String> {
        let Keys { api_key, secret_key } = self.keys;
        let basic = self.basic_credentials();
        // What repeats it may leave out the padding.
        let unpadded = basic.trim_end_matches('=').to_owned();
        vec![basic, unpadded, secret_key.reveal().to_owned(), api_key.reveal().to_owned()]
    }

    /// What to do about a response; empty if it is clear.
    pub(super) fn hint(status: StatusCode) -> &'static str {
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                " Check both keys, and that the region matches the analytics project."
            }
            status if status.is_redirection() => " Redirects are not followed: the request carries the keys.",
            _ => "",
        }
    }
}
