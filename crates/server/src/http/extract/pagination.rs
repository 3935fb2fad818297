//! Lists in pages: the query parameters and the response.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::{Page, Paged};
use crate::http::problem::Problem;

/// The page of a list to read.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The `nextCursor` of the previous page.
    #[param(pattern = "^[A-Za-z0-9_-]*$")]
    cursor: Option<String>,
    /// The number of items, 1 to 200. Default: 50.
    #[param(value_type = Option<u16>, minimum = 1, maximum = 200)]
    limit: Option<String>,
}

impl PageQuery {
    /// The requested page.
    pub fn page(&self) -> Result<Page, Problem> {
        Ok(Page::parse(self.cursor.as_deref(), self.limit.as_deref())?)
    }
}

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct List<T: ToSchema> {
    /// The items of this page, in the list's order.
    items: Vec<T>,
    /// Pass it as `cursor` to get the next page. Missing on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

impl<T: ToSchema> List<T> {
    /// Creates a list from a page of items.
    pub fn from_page<U>(page: Paged<U>, view: impl Fn(U) -> T) -> axum::Json<Self> {
        axum::Json(Self { items: page.items.into_iter().map(view).collect(), next_cursor: page.next_cursor })
    }
}
