//! Lists in pages: what a caller asks with, and what an answer holds.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::{Page, Paged};
use crate::http::problem::Problem;

/// Which page of a list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// From `nextCursor` of the page before.
    #[param(pattern = "^[A-Za-z0-9_-]*$")]
    cursor: Option<String>,
    /// How many items, 1 to 200; 50 when left out.
    #[param(value_type = Option<u16>, minimum = 1, maximum = 200)]
    limit: Option<String>,
}

impl PageQuery {
    /// The page that is asked for.
    pub fn page(&self) -> Result<Page, Problem> {
        Ok(Page::parse(self.cursor.as_deref(), self.limit.as_deref())?)
    }
}

/// A page of a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct List<T: ToSchema> {
    /// In the list's order.
    items: Vec<T>,
    /// Asks for the next page; missing on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

impl<T: ToSchema> List<T> {
    /// The views of a page's items.
    pub fn of<U>(page: Paged<U>, view: impl Fn(U) -> T) -> axum::Json<Self> {
        axum::Json(Self { items: page.items.into_iter().map(view).collect(), next_cursor: page.next_cursor })
    }
}
