//! The behaviours of a destination, with the expected requests and results.

use crate::fixture::Reply;

/// The behaviour of a destination, and the expected result.
pub struct Case {
    pub name: &'static str,
    pub replies: Vec<Reply>,
    /// The requested paths below `/api/3/`.
    pub paths: &'static [&'static str],
    /// The status of each attempt; 0 if there was no response.
    pub statuses: &'static [u16],
    pub delivered: bool,
    /// The beginning of the detail of the latest result.
    pub detail: &'static str,
}

const ONCE: &[&str] = &["annotations"];
const TWICE: &[&str] = &["annotations", "annotations"];
const WITH_CATEGORY: &[&str] = &["annotations", "annotation-categories", "annotations"];

const OK_HEADER: &[u8] = b"HTTP/1.1 200 OK\r\n";
const HALF_HEADER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Le";
const CHUNK: &[u8] = b"4\r\nbla \r\n";

fn reply(status: &str, body: &str) -> Reply {
    Reply::status(status, "", body)
}

/// The header of a response with a chunked body.
fn chunked(status: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\nTransfer-Encoding: chunked\r\n\r\n").into()
}

/// A delivery that succeeds with the first attempt.
fn delivered(name: &'static str, reply: Reply, status: &'static [u16], detail: &'static str) -> Case {
    Case { name, replies: vec![reply], paths: ONCE, statuses: status, delivered: true, detail }
}

/// A delivery whose two attempts fail in the same way.
fn failed(name: &'static str, reply: Reply, statuses: &'static [u16], detail: &'static str) -> Case {
    Case { name, replies: vec![reply.clone(), reply], paths: TWICE, statuses, delivered: false, detail }
}

/// A delivery that succeeds with the second attempt.
fn retried(name: &'static str, reply: Reply, statuses: &'static [u16]) -> Case {
    Case { name, replies: vec![reply, Reply::ok()], paths: TWICE, statuses, delivered: true, detail: "200 OK" }
}

pub fn cases() -> Vec<Case> {
    [successes(), redirects_and_client_errors(), missing_category(), server_errors(), broken_responses()]
        .into_iter()
        .flatten()
        .collect()
}

fn successes() -> Vec<Case> {
    vec![
        delivered("200", Reply::ok(), &[200], "200 OK"),
        delivered("201", reply("201 Created", "{}"), &[201], "201 Created"),
        delivered("204", reply("204 No Content", ""), &[204], "204 No Content"),
        delivered("200 with an endless body", Reply::Endless(chunked("200 OK"), CHUNK.to_vec()), &[200], "200 OK"),
    ]
}

fn redirects_and_client_errors() -> Vec<Case> {
    let redirect = |status: &str| Reply::status(status, "Location: /api/3/elsewhere\r\n", "");
    let moved = "301 Moved Permanently. Redirects are not followed";
    let temporary = "307 Temporary Redirect. Redirects are not followed";
    let bad_request = reply("400 Bad Request", "{\"error\":\"no\n label\"}");
    let unauthorized = reply("401 Unauthorized", "bad credentials");
    let hint = "401 Unauthorized: bad credentials – Check both keys, and that the region";
    let retry_after = Reply::status("429 Too Many Requests", "Retry-After: 3\r\n", "");
    vec![
        failed("301 is not followed", redirect("301 Moved Permanently"), &[301, 301], moved),
        failed("307 is not followed", redirect("307 Temporary Redirect"), &[307, 307], temporary),
        failed("400", bad_request, &[400, 400], "400 Bad Request: {\"error\":\"no label\"}"),
        failed("401 in the wrong region", unauthorized, &[401, 401], hint),
        failed("409", reply("409 Conflict", "twice"), &[409, 409], "409 Conflict: twice"),
        retried("429 with Retry-After, then 200", retry_after, &[429, 200]),
    ]
}

fn missing_category() -> Vec<Case> {
    let missing = || reply("404 Not Found", "no category");
    vec![
        Case {
            name: "404 and the category is created",
            replies: vec![missing(), Reply::ok(), Reply::ok()],
            paths: WITH_CATEGORY,
            statuses: &[404, 200],
            delivered: true,
            detail: "200 OK",
        },
        Case {
            name: "404 and another client has created the category",
            replies: vec![missing(), reply("409 Conflict", "exists"), Reply::ok()],
            paths: WITH_CATEGORY,
            statuses: &[404, 200],
            delivered: true,
            detail: "200 OK",
        },
        Case {
            name: "404 and the category cannot be created",
            replies: vec![missing(), reply("403 Forbidden", "no")],
            paths: &["annotations", "annotation-categories"],
            statuses: &[404, 403],
            delivered: false,
            detail: "The category could not be created: 403 Forbidden: no",
        },
        Case {
            name: "404 twice",
            replies: vec![missing(), Reply::ok(), missing()],
            paths: WITH_CATEGORY,
            statuses: &[404, 404],
            delivered: false,
            detail: "404 Not Found: no category",
        },
    ]
}

fn server_errors() -> Vec<Case> {
    const STATUS: &str = "500 Internal Server Error";
    let error = reply(STATUS, "{\"error\":\"oops\"}");
    let endless = Reply::Endless(chunked(STATUS), CHUNK.to_vec());
    vec![
        retried("500, then 200", error.clone(), &[500, 200]),
        failed("500 twice", error, &[500, 500], "500 Internal Server Error: {\"error\":\"oops\"}"),
        failed("500 with an endless body", endless, &[500, 500], "500 Internal Server Error: bla bla bla"),
        failed("500 without a body", Reply::Hang(chunked(STATUS)), &[500, 500], STATUS),
    ]
}

fn broken_responses() -> Vec<Case> {
    let endless = Reply::Endless(OK_HEADER.to_vec(), format!("A: {}\r\n", "a".repeat(1_000)).into());
    let garbage = Reply::Bytes(b"\x00\x01 what is this?\r\n\r\n".to_vec());
    let broken = "No response: the connection was closed";
    vec![
        failed("endless headers", endless, &[0, 0], "No response: "),
        failed("garbage", garbage, &[0, 0], "No response: not a valid HTTP response"),
        failed("closed at once", Reply::Bytes(Vec::new()), &[0, 0], broken),
        failed("closed within the headers", Reply::Bytes(HALF_HEADER.to_vec()), &[0, 0], broken),
        failed("reset within the headers", Reply::Reset(HALF_HEADER.to_vec()), &[0, 0], broken),
        failed("no response", Reply::Hang(Vec::new()), &[0, 0], "No response within 10 s."),
        retried("incomplete headers, then 200", Reply::Hang(OK_HEADER.to_vec()), &[0, 200]),
    ]
}
