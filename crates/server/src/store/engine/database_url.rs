//! The URL of a database: its file, what may be shown of it, and how a PostgreSQL connection is made from it.

use std::net::IpAddr;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, ensure};
use sqlx::ConnectOptions as _;
use sqlx::any::AnyConnectOptions;
use sqlx::postgres::{PgConnectOptions, PgSslMode};

/// What is shown of a URL that cannot be read, or that may have a password where none belongs.
const HIDDEN: &str = "postgres://…";

/// The parameters of a PostgreSQL URL that the driver knows, beside `options[…]`. It would log others, with their values.
const PARAMETERS: [&str; 18] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];

/// Parameters that other programs know. They have no effect here.
const OF_OTHERS: [&str; 4] = ["channel_binding", "connect_timeout", "gssencmode", "target_session_attrs"];

/// The parameters that name the file with the certificates of trusted authorities.
const ROOT_CERTIFICATE: [&str; 3] = ["sslrootcert", "ssl-root-cert", "ssl-ca"];

/// The file that a URL names, if it names one.
pub fn sqlite_file(url: &str) -> Option<&Path> {
    let file = url.strip_prefix("sqlite:")?.trim_start_matches("//");
    Some(Path::new(file.split('?').next().unwrap_or(file)))
}

/// The URL as it may be shown: without its password, in whatever form it has one.
pub fn without_password(url: &str) -> String {
    if sqlite_file(url).is_some() {
        return url.to_owned();
    }
    readable(url).unwrap_or_else(|| HIDDEN.to_owned())
}

/// Scheme, user, host and database. None when one of them may be a part of a password.
fn readable(url: &str) -> Option<String> {
    let url = AnyConnectOptions::from_str(url).ok()?.database_url;
    let is_postgres = matches!(url.scheme(), "postgres" | "postgresql") && !url.cannot_be_a_base();
    let database = url.path().trim_start_matches('/');
    let host = url.host_str().unwrap_or_default();
    // A password with a / ? or # ends the part before it, and the parts after it have the rest of it.
    let is_readable = is_postgres
        && url.fragment().is_none()
        && is_plain(url.username(), "~+$%")
        && !url.username().to_ascii_lowercase().contains("%3a")
        && is_plain(host, "[]:%")
        && is_plain(database, "~+$")
        && url.query_pairs().all(|(key, _)| is_plain(&key, "[]"));
    let user = if url.username().is_empty() { String::new() } else { format!("{}@", url.username()) };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    is_readable.then(|| format!("{}://{user}{host}{port}/{database}", url.scheme()))
}

fn is_plain(text: &str, also: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter) || also.contains(letter))
}

/// How to connect to the PostgreSQL database of the URL: encrypted, unless the database is on this machine or the URL says
/// `sslmode=disable`.
///
/// # Errors
/// Names what cannot be read, without the password.
pub(in crate::store) fn postgres_options(url: &str) -> anyhow::Result<AnyConnectOptions> {
    ensure!(
        readable(url).is_some(),
        "The database URL {HIDDEN} cannot be read. Write postgres://<user>@<host>/<database>, and /, ?, #, @ and : in a password \
         as %2F, %3F, %23, %40 and %3A."
    );
    let cannot_read = || format!("The database URL {} cannot be read.", without_password(url));
    let mut options = AnyConnectOptions::from_str(url).with_context(cannot_read)?;
    let given: Vec<(String, String)> = options.database_url.query_pairs().into_owned().collect();
    let (known, unknown): (Vec<_>, Vec<_>) = given.into_iter().partition(|(key, _)| is_known(key));
    if unknown.iter().any(|(key, _)| !OF_OTHERS.contains(&key.as_str())) {
        // Neither its name nor its value: they may be the rest of a password.
        tracing::warn!(known = PARAMETERS.join(", "), "a parameter of the database URL is unknown and has no effect");
    }
    // An address of IPv6 has brackets in a URL, and none elsewhere.
    let host = options.database_url.host_str().and_then(|host| host.strip_prefix('[')?.strip_suffix(']'));
    let host = host.map(|host| ("host".to_owned(), host.to_owned()));
    let root = known.iter().find(|(key, _)| ROOT_CERTIFICATE.contains(&key.as_str())).map(|(_, file)| file);
    if let Some(file) = root {
        std::fs::metadata(file)
            .with_context(|| format!("The file '{file}' of sslrootcert in the database URL cannot be read."))?;
    }
    let has_root = root.is_some() || std::env::var_os("PGSSLROOTCERT").is_some();
    options.database_url.query_pairs_mut().clear().extend_pairs(host.into_iter().chain(known));
    let parsed = PgConnectOptions::from_url(&options.database_url).with_context(cannot_read)?;
    let mode = encryption(parsed.get_ssl_mode(), is_on_this_machine(&parsed), has_root);
    // The last one counts.
    options.database_url.query_pairs_mut().append_pair("sslmode", mode);
    Ok(options)
}

fn is_known(key: &str) -> bool {
    key.starts_with("options[") || PARAMETERS.contains(&key)
}

fn is_on_this_machine(options: &PgConnectOptions) -> bool {
    let host = options.get_host();
    let is_loopback = |address: IpAddr| address.to_canonical().is_loopback();
    options.get_socket().is_some()
        || host.starts_with('/')
        || host.eq_ignore_ascii_case("localhost")
        || host.parse().is_ok_and(is_loopback)
}

/// The mode in which to connect. What may turn out as plaintext is for the same machine only. As with libpq, naming the trusted
/// authorities means that the certificate is verified.
fn encryption(asked: PgSslMode, on_this_machine: bool, has_root: bool) -> &'static str {
    match asked {
        PgSslMode::Disable => "disable",
        PgSslMode::Allow | PgSslMode::Prefer if on_this_machine => "prefer",
        PgSslMode::Allow | PgSslMode::Prefer | PgSslMode::Require if has_root => "verify-ca",
        PgSslMode::Allow | PgSslMode::Prefer | PgSslMode::Require => "require",
        PgSslMode::VerifyCa => "verify-ca",
        PgSslMode::VerifyFull => "verify-full",
    }
}

#[cfg(test)]
mod tests {
    use sqlx::ConnectOptions as _;
    use sqlx::postgres::PgConnectOptions;

    use super::{encryption, is_on_this_machine, postgres_options, without_password};

    #[test]
    fn what_is_shown_of_a_url_has_no_password() {
        for (url, shown) in [
            ("sqlite:/var/lib/flags.db", "sqlite:/var/lib/flags.db"),
            ("postgres://shop:canary@db.example:5433/flags", "postgres://shop@db.example:5433/flags"),
            ("postgres://shop@db.example/flags?password=canary", "postgres://shop@db.example/flags"),
            ("postgresql://:canary@[::1]/flags", "postgresql://[::1]/flags"),
            ("postgres://%2Fvar%2Frun/flags", "postgres://%2Fvar%2Frun/flags"),
            ("postgres://shop%40a@db.example/flags", "postgres://shop%40a@db.example/flags"),
            ("postgres://shop%3Acanary@db.example/flags", "postgres://…"),
            ("postgres://shop:12/canary@db.example/flags", "postgres://…"),
            ("postgres://shop:12?canary@db.example/flags", "postgres://…"),
            ("postgres://shop:12#canary@db.example/flags", "postgres://…"),
            ("postgres:shop:canary@db.example/flags", "postgres://…"),
            ("host=db.example password=canary", "postgres://…"),
        ] {
            assert_eq!(without_password(url), shown, "{url}");
        }
    }

    #[test]
    fn plaintext_is_possible_on_this_machine_or_where_it_is_asked_for() {
        for (url, expected) in [
            ("postgres://shop@localhost/flags", "prefer"),
            ("postgres://shop@127.0.0.2/flags", "prefer"),
            ("postgres://shop@[::1]/flags", "prefer"),
            ("postgres://shop@%2Fvar%2Frun/flags", "prefer"),
            ("postgres:///flags?host=/var/run", "prefer"),
            ("postgres://shop@localhost/flags?sslmode=require", "require"),
            ("postgres://shop@db.example/flags", "require"),
            ("postgres://shop@10.0.0.1/flags?sslmode=prefer", "require"),
            ("postgres://shop@localhost/flags?host=db.example", "require"),
            ("postgres://shop@db.example/flags?sslmode=allow", "require"),
            ("postgres://shop@db.example/flags?sslrootcert=Cargo.toml", "verify-ca"),
            ("postgres://shop@db.example/flags?sslmode=require&sslrootcert=Cargo.toml", "verify-ca"),
            ("postgres://shop@db.example/flags?sslmode=verify-ca", "verify-ca"),
            ("postgres://shop@db.example/flags?sslmode=verify-full&sslrootcert=Cargo.toml", "verify-full"),
            ("postgres://shop@db.example/flags?sslmode=disable", "disable"),
        ] {
            let options = postgres_options(url).unwrap();
            let mode = options.database_url.query_pairs().filter(|(key, _)| key == "sslmode").last().unwrap();
            assert_eq!(mode.1, expected, "{url}");
            let parsed = PgConnectOptions::from_url(&options.database_url).unwrap();
            let again = encryption(parsed.get_ssl_mode(), is_on_this_machine(&parsed), false);
            assert_eq!(again, expected, "{url}");
        }
    }
}
