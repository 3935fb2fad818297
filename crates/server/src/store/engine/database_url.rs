//! The URL of a database: its file, what may be shown of it, and how a PostgreSQL connection is made from it.

use std::net::IpAddr;
use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, bail, ensure};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
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

/// Parameters that the driver does not know: which server to use, and some of other programs, which have no effect here.
const OF_OTHERS: [&str; 4] = ["channel_binding", "connect_timeout", "gssencmode", TARGET];

/// The parameter that says which server of several to use.
const TARGET: &str = "target_session_attrs";

/// The values with which it asks for a server that takes writes.
const PRIMARY: [&str; 2] = ["read-write", "primary"];

/// The parameters that name a host.
const OF_ONE_HOST: [&str; 3] = ["host", "hostaddr", "port"];

/// The parameters that name the file with the certificates of trusted authorities.
const ROOT_CERTIFICATE: [&str; 3] = ["sslrootcert", "ssl-root-cert", "ssl-ca"];

/// The file that a URL names, if it names one.
pub fn sqlite_file(url: &str) -> Option<&Path> {
    let file = url.strip_prefix("sqlite:")?.trim_start_matches("//");
    Some(Path::new(file.split('?').next().unwrap_or(file)))
}

/// The letters of a path that mean something else in a URL.
const ENCODED: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'?').add(b'#');

/// How to connect to an SQLite file, with these parameters of the driver. It decodes the path, which is taken literally everywhere else.
pub(in crate::store) fn sqlite_options(file: &str, parameters: &str) -> sqlx::Result<AnyConnectOptions> {
    AnyConnectOptions::from_str(&format!("sqlite:{}?{parameters}", utf8_percent_encode(file, ENCODED)))
}

/// The URL as it may be shown: without its password, in whatever form it has one.
pub fn without_password(url: &str) -> String {
    if sqlite_file(url).is_some() {
        return url.to_owned();
    }
    readable(url).unwrap_or_else(|| HIDDEN.to_owned())
}

/// Scheme, user, hosts and database. None when one of them may be a part of a password.
fn readable(url: &str) -> Option<String> {
    let hosts = of_each_host(url).iter().map(|url| Readable::of(url)).collect::<Option<Vec<_>>>()?;
    let Readable { before, after, .. } = hosts.first()?;
    let names: Vec<&str> = hosts.iter().map(|readable| &*readable.host).collect();
    Some(format!("{before}{}{after}", names.join(",")))
}

/// A URL with one host that has no password.
struct Readable {
    /// Scheme and user.
    before: String,
    /// The host, with its port if it has one.
    host: String,
    /// The database.
    after: String,
}

impl Readable {
    fn of(url: &str) -> Option<Self> {
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
        is_readable.then(|| Self {
            before: format!("{}://{user}", url.scheme()),
            host: format!("{host}{port}"),
            after: format!("/{database}"),
        })
    }
}

fn is_plain(text: &str, also: &str) -> bool {
    text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter) || also.contains(letter))
}

/// The URL for each host that it names. As in libpq, commas separate hosts, and each has its own port.
pub(in crate::store) fn of_each_host(url: &str) -> Vec<String> {
    let Some((scheme @ ("postgres" | "postgresql"), rest)) = url.split_once("://") else { return vec![url.to_owned()] };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (user, hosts) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    hosts.split(',').map(|host| format!("{scheme}://{user}{host}{path}")).collect()
}

/// What a URL with one host is called where several are listed.
pub(in crate::store) fn host(url: &str) -> String {
    let host = Readable::of(url).map(|readable| readable.host).filter(|host| !host.is_empty());
    host.unwrap_or_else(|| without_password(url))
}

/// Whether the URL asks for a server that takes writes: it says so, or it names several hosts, of which the others are standbys.
///
/// # Errors
/// Where the URL contradicts itself, or asks for a standby among several hosts.
pub(in crate::store) fn wants_primary(url: &str) -> anyhow::Result<bool> {
    let hosts = of_each_host(url);
    let shown = without_password(url);
    let parsed = hosts.first().and_then(|url| AnyConnectOptions::from_str(url).ok());
    // One that cannot be read is refused later, with the remedy.
    let Some(first) = parsed.filter(|_| shown != HIDDEN) else { return Ok(false) };
    let parameters: Vec<_> = first.database_url.query_pairs().collect();
    let asks = parameters.iter().rfind(|(key, _)| key == TARGET).map(|(_, target)| PRIMARY.contains(&&**target));
    let lists_hosts = parameters.iter().any(|(key, value)| OF_ONE_HOST.contains(&&**key) && value.contains(','));
    let names_hosts = parameters.iter().any(|(key, _)| OF_ONE_HOST.contains(&&**key));
    if lists_hosts || (hosts.len() > 1 && names_hosts) {
        bail!(
            "The database URL {shown} names hosts or ports as parameters. Name all hosts before the path, each with its port: \
             postgres://<user>@<host>:<port>,<host>:<port>/<database>."
        );
    }
    ensure!(
        hosts.len() == 1 || asks != Some(false),
        "The database URL {shown} asks for another server than the primary, but Flag Service writes. Write \
         {TARGET}=read-write, or leave it out."
    );
    ensure!(
        hosts.len() == 1 || hosts.iter().all(|url| Readable::of(url).is_some_and(|readable| !readable.host.is_empty())),
        "The database URL {shown} has a comma without a host. Take it out."
    );
    Ok(hosts.len() > 1 || asks == Some(true))
}

/// How to connect to the PostgreSQL database of the URL: encrypted, unless the database is on this machine or the URL says
/// `sslmode=disable`. The URL names one host.
///
/// # Errors
/// Names what cannot be read, without the password.
pub(in crate::store) fn postgres_options(url: &str) -> anyhow::Result<AnyConnectOptions> {
    ensure!(
        readable(url).is_some(),
        "The database URL {HIDDEN} cannot be read. Write postgres://<user>@<host>/<database>, and /, ?, #, @ and : in a password \
         as %2F, %3F, %23, %40 and %3A. Several hosts are separated by commas."
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

    use super::{encryption, is_on_this_machine, of_each_host, postgres_options, wants_primary, without_password};

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
            ("postgres://shop:canary@a:5433,b/flags", "postgres://shop@a:5433,b/flags"),
            ("postgres://shop:can,ary@[::1]:5433,%2Fvar%2Frun/flags", "postgres://shop@[::1]:5433,%2Fvar%2Frun/flags"),
            ("postgres://shop:can,ary/canary@a,b/flags", "postgres://…"),
            ("postgres://shop:1,canary/2@a,b/flags", "postgres://…"),
            ("postgres://shop:1,2?canary@a,b/flags", "postgres://…"),
            ("postgres://shop:1,2#canary@a,b/flags", "postgres://…"),
            ("postgres://shop%3Acanary@a,b/flags", "postgres://…"),
            ("postgres://shop@a,,b/flags", "postgres://…"),
            ("postgres://shop@a,b:port/flags", "postgres://…"),
        ] {
            assert_eq!(without_password(url), shown, "{url}");
        }
    }

    #[test]
    fn commas_separate_hosts_and_each_has_its_own_port() {
        let options = |url: &str| PgConnectOptions::from_url(&postgres_options(url).unwrap().database_url).unwrap();
        let url = "postgresql://shop:a%2Cb,c@db1.example:5433,10.0.0.2,[::1]:5434/flags?target_session_attrs=read-write&sslmode=disable";
        let hosts: Vec<_> = of_each_host(url).iter().map(|url| options(url)).collect();
        let found: Vec<_> = hosts.iter().map(|options| (options.get_host(), options.get_port())).collect();
        assert_eq!(found, [("db1.example", 5433), ("10.0.0.2", 5432), ("::1", 5434)]);
        for options in &hosts {
            assert_eq!((options.get_username(), options.get_database()), ("shop", Some("flags")));
        }
        for url in ["postgres://shop:a,b@db.example/flags", "postgres://shop@db.example/a,b", "sqlite://a,b.db"] {
            assert_eq!(of_each_host(url), [url]);
        }
    }

    #[test]
    fn a_database_on_this_machine_is_plaintext_also_beside_one_elsewhere() {
        let url = "postgres://shop@localhost,db.example/flags";
        let modes = of_each_host(url).into_iter().map(|url| {
            let options = postgres_options(&url).unwrap();
            options.database_url.query_pairs().filter(|(key, _)| key == "sslmode").last().unwrap().1.into_owned()
        });
        assert_eq!(modes.collect::<Vec<_>>(), ["prefer", "require"]);
    }

    #[test]
    fn a_primary_is_looked_for_where_the_url_names_several_hosts_or_asks_for_it() {
        for (url, expected) in [
            ("postgres://shop@a/flags", false),
            ("postgres://shop@a/flags?target_session_attrs=any", false),
            ("postgres://shop@a/flags?target_session_attrs=read-write", true),
            ("postgres://shop@a/flags?target_session_attrs=primary", true),
            ("postgres://shop@a,b/flags", true),
            ("postgres://shop@a:1,b:2/flags?target_session_attrs=read-write", true),
        ] {
            assert_eq!(wants_primary(url).unwrap(), expected, "{url}");
        }
    }

    #[test]
    fn a_url_that_contradicts_itself_is_refused_with_the_remedy() {
        for (url, remedy) in [
            ("postgres://shop:canary@a,b/flags?target_session_attrs=standby", "target_session_attrs=read-write"),
            ("postgres://shop:canary@a,b/flags?target_session_attrs=any", "target_session_attrs=read-write"),
            ("postgres://shop:canary@a,b/flags?host=c", "before the path"),
            ("postgres://shop:canary@a,b/flags?port=5433", "before the path"),
            ("postgres:///flags?host=a,b&password=canary", "before the path"),
            ("postgres://a,,b/flags?password=canary", "a comma without a host"),
        ] {
            let message = wants_primary(url).unwrap_err().to_string();
            assert!(message.contains(remedy) && !message.contains("canary"), "{url}: {message}");
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
