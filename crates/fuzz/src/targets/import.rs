//! The JSON document of a project, imported in a transaction that is not committed.
//!
//! - What is read is written as a text that is read and written as the same bytes.
//! - An import succeeds, or points at the invalid part of the document. It never fails for a reason inside the service.
//! - The same document has the same outcome again.

use flagservice_rules::Key;
use flagservice_server::app::transfer::document::Document;
use flagservice_server::app::transfer::{import, patterns};
use flagservice_server::app::{AppError, Operation};

use crate::service::RUNNING;

/// A key that the demo does not have.
const NEW_KEY: &str = "imported";

/// Panics if an invariant does not hold.
pub fn check(data: &[u8]) {
    let document = match Document::parse(data) {
        Ok(document) => document,
        Err(error) => return check_refusal(&error),
    };
    let Ok(text) = document.to_text() else { return };
    let again = Document::parse(text.as_bytes()).and_then(|document| document.to_text());
    assert_eq!(again.ok().as_ref(), Some(&text), "a document is written as it was read");
    // While they live, the import compiles none of them again.
    let _patterns = match patterns::compile(&document) {
        Ok(patterns) => patterns,
        Err(error) => return check_refusal(&error),
    };
    let outcome = outcome(document);
    assert_eq!(Document::parse(text.as_bytes()).ok().map(self::outcome), Some(outcome), "the same document once more");
}

/// The result of an import that is not committed.
fn outcome(document: Document) -> Result<(), String> {
    RUNNING.wait(async {
        let mut operation = Operation::begin(RUNNING.app(), &RUNNING.actor).await.map_err(|error| error.to_string())?;
        let imported = import::project(&mut operation, document, Key::parse(NEW_KEY).ok(), |_| {}).await;
        imported.map_err(|error| {
            check_refusal(&error);
            format!("{error:?}")
        })
    })
}

fn check_refusal(error: &AppError) {
    let is_understood = matches!(error, AppError::Invalid(violations) if !violations.is_empty())
        || matches!(error, AppError::UnknownReference { .. } | AppError::Exists { .. });
    assert!(is_understood, "{error:?}");
}
