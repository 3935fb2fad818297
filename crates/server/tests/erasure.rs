//! No copy is left of a person and of a user who are erased: in the database, its log, a backup, the log of the server, and metrics.

mod words;

use std::time::{Duration, SystemTime};

use flagservice_rules::Instant;
use flagservice_server::clock::{Clock as _, SystemClock};
use flagservice_server::domain::role::Role;
use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::command::run::run;
use crate::fixture::{
    Caller, Database, Engine, HANG_TIMEOUT, NOW, Receiver, Reply, Server, ServerProcess, StoredRows, condition,
    contains, features, on_each_database, on_sqlite, outbound, project, rule, split, targeting, targeting_of,
    without_gaps,
};

/// What marks the person and the user. Nothing else contains it.
const MARK: &str = "yxquark-7f3a";
const PERSON: &str = "Zyxquark-7f3a Person";
const RENAMED: &str = "Zyxquark-7f3a Renamed";
const USER: &str = "zyxquark-7f3a@example.org";

const USERS: &str = "/api/v1/users";
/// No annotations are sent there.
const NOWHERE: &str = "http://127.0.0.1:9";
const ERASURES: &str = "/api/v1/erasures";

/// The tables that have the mark before.
const MARKED: [&str; 11] = [
    "users",
    "access_tokens",
    "preferences",
    "audit_log",
    "approvals",
    "approval_comments",
    "outbox",
    "deliveries",
    "idempotency_records",
    "goals",
    "targetings",
];

/// The person's request of a change that needs an approval.
async fn request(person: &Caller, feature: &str) -> String {
    let mut edit = targeting(&[split(20.0, 80.0)]);
    edit["comment"] = json!(format!("I, {PERSON}, ask for it"));
    let pending = person.put(&targeting_of(feature, "staging"), &edit).await.ok(202);
    project(&format!("/approvals/{}", pending["id"].as_str().unwrap()))
}

/// Creates a webhook to this URL.
async fn create_webhook(administrator: &Caller, url: &str) {
    let new = json!({ "type": "webhook", "enabled": true, "configuration": { "webhook": { "url": url } } });
    administrator.post("/api/v1/admin/integrations/outbound", &new).await.ok(201);
}

/// Leaves the mark of the person everywhere. Returns their id.
async fn mark_person(server: &ServerProcess, hooks: &str) -> String {
    let (administrator, anonymous) = (server.person(Role::Administrator), server.caller_with_token(""));
    create_webhook(&administrator, hooks).await;
    for feature in ["reviews", "loyalty-points"] {
        administrator.patch(&features(&format!("/{feature}")), &json!({ "approvalRequired": true })).await.ok(200);
    }

    let new = json!({ "name": PERSON, "role": "editor" });
    let id = administrator.post_once(USERS, "one", &new).await.ok(201)["id"].as_str().unwrap().to_owned();
    let link = administrator.post(&format!("{USERS}/{id}/setup-link"), &Value::Null).await.ok(201);
    let secret = link["url"].as_str().unwrap().split_once('#').unwrap().1;
    let created =
        anonymous.post("/ui/set-up", &json!({ "secret": secret, "name": format!("{PERSON}'s laptop") })).await;
    let person = server.caller_with_token(created.ok(201)["token"].as_str().unwrap());
    person.sign_in().await.get("/api/v1/me").await.ok(200);

    let view = json!({ "favourites": ["reviews"], "views": [{ "name": format!("Of {PERSON}"), "query": "" }] });
    person.put(&project("/preferences"), &view).await.ok(200);
    person.post_once(&features(""), "two", &json!({ "key": "of-person", "name": "New" })).await.ok(201);
    person.patch(&targeting_of("search-suggestions", "staging"), &json!({ "enabled": false })).await.ok(200);
    administrator.patch(&features("/winter-sale"), &json!({ "ownerId": id })).await.ok(200);

    let decided = request(&person, "reviews").await;
    let remark = |who: &str| json!({ "comment": format!("{who}, says {PERSON}.") });
    person.post(&format!("{decided}/comments"), &remark("Me")).await.ok(201);
    administrator.post(&format!("{decided}/comments"), &remark("Somebody")).await.ok(201);
    administrator.post(&format!("{decided}/approve"), &remark("Approved")).await.ok(200);
    administrator.patch(&format!("{USERS}/{id}"), &json!({ "name": RENAMED })).await.ok(200);
    let pending = request(&person, "loyalty-points").await;
    administrator.get(&pending).await.ok(200);
    id
}

/// Leaves the mark of the user everywhere.
async fn mark_user(server: &ServerProcess) {
    let browser = server.browser("production");
    browser.load(&json!({ "id": USER, "attributes": { "plan": USER } })).await;
    let goals = json!([{ "id": "goal-0001", "key": "purchase", "userId": USER, "features": { "reviews": "on" } }]);
    browser.goals(&goals).await.ok(202);
    let rules = [rule(&[condition("flagservice.user.id", "in", json!([USER, "somebody-else"]))])];
    let editor = server.person(Role::ProductionEditor);
    editor.put(&targeting_of("search-suggestions", "staging"), &targeting(&rules)).await.ok(200);
}

/// Waits until this server has finished a sweep that began at this second.
async fn swept(server: &Server, second: i64) {
    let swept = async {
        loop {
            let metrics = server.anonymous().get("/metrics").await.text;
            let last = metrics.lines().find_map(|line| line.strip_prefix("flagservice_last_sweep_timestamp_seconds "));
            if last.unwrap().parse::<f64>().unwrap() as i64 == second {
                return metrics;
            }
            tokio::task::yield_now().await;
        }
    };
    let metrics = tokio::time::timeout(HANG_TIMEOUT, swept).await.expect("a sweep");
    assert!(metrics.contains("flagservice_sweep_errors_total 0"), "{metrics}");
}

/// Waits until every change has been fanned out and delivered.
async fn delivered(server: &Server) {
    let left = "SELECT (SELECT COUNT(*) FROM deliveries WHERE state = 'waiting') + (SELECT COUNT(*) FROM outbox o
            LEFT JOIN fan_out_cursors c ON c.environment_id = o.environment_id WHERE o.version > COALESCE(c.version, 0))";
    // A lease and a retry end by the clock.
    let _running = server.run_clock_at(1);
    let done = async {
        while sqlx::query_scalar::<_, i64>(left).fetch_one(&mut *server.app.store.read().await.unwrap()).await.unwrap()
            > 0
        {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(HANG_TIMEOUT, done).await.expect("all is delivered");
}

/// Whether this is the hash of a secret or a request, as the database has them.
fn is_hash(text: &str) -> bool {
    text.len() == 43 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Asserts that no text is in an SQLite file or its log, while the server runs, except where a page has nothing.
fn assert_overwritten(database: &Database, texts: &[&str]) {
    if database.engine() != Engine::Sqlite {
        return;
    }
    let file = without_gaps(std::fs::read(database.file()).unwrap());
    let log = std::fs::read(format!("{}-wal", database.file().display())).unwrap();
    for text in texts {
        assert!(!contains(&file, text) && !contains(&log, text), "{text}");
    }
}

/// Asserts that the files of an SQLite database, and a backup of it, do not contain the mark.
async fn assert_no_copy_in_files(database: &Database) {
    let backup = database.folder().join("erased.db");
    run(database, &["backup", backup.to_str().unwrap()]).await.ok();
    let mut read = Vec::new();
    for file in std::fs::read_dir(database.folder()).unwrap() {
        let file = file.unwrap().path();
        assert!(!contains(&std::fs::read(&file).unwrap(), MARK), "{}", file.display());
        read.push(file);
    }
    assert!(read.contains(&backup) && read.contains(&database.file()), "{read:?}");
}

/// Asserts that a sweep after a month removes what ends by then, and that no copy of it is left in the files.
async fn assert_a_sweep_removes_what_has_ended(server: &Server, database: &Database, before: &StoredRows) {
    // What ends within a month: sessions, changes, deliveries, answers.
    let month = SystemTime::UNIX_EPOCH.elapsed().unwrap() + Duration::from_hours(24 * 32);
    let second = i64::try_from(month.as_secs()).unwrap();
    server.clock.set(Instant(1_000 * second));
    swept(server, second).await;
    let now = server.stored_rows().await;
    for table in ["sessions", "outbox", "deliveries", "idempotency_records"] {
        assert_eq!(now.count(table), 0, "{table}");
    }
    // Hashes are in no other table.
    let hashes = before.rows("sessions").iter().chain(before.rows("idempotency_records")).flatten();
    let hashes: Vec<_> = hashes.map(String::as_str).filter(|text| is_hash(text)).collect();
    assert!(hashes.len() >= 3, "{hashes:?}");
    assert_overwritten(database, &hashes);
}

#[apply(on_each_database)]
async fn no_copy_is_left_of_an_erased_person_and_an_erased_user(database: Database) {
    let receiver = Receiver::start().await;
    let mut process = ServerProcess::start_with(&database, &["--private-destination", "127.0.0.0/8"]).await;
    let id = mark_person(&process, &format!("{}/hook", receiver.address())).await;
    mark_user(&process).await;
    let first_log = process.stop().await;

    let server = Server::start_with_destinations(&database, outbound(NOWHERE, NOWHERE)).await;
    // The time at which the process queued deliveries and had its lease.
    server.clock.set(SystemClock.now());
    delivered(&server).await;
    let before = server.stored_rows().await;
    for table in MARKED {
        assert!(before.table_contains(table, MARK), "{table} has the mark before");
    }
    assert_a_sweep_removes_what_has_ended(&server, &database, &before).await;
    server.stop().await;

    let mut process = ServerProcess::start(&database).await;
    let administrator = process.person(Role::Administrator);
    let erased = administrator.post(ERASURES, &json!({ "userId": USER })).await.ok(200);
    assert_eq!(erased["removed"]["goals"], 1);
    assert_eq!(erased["rules"], json!(["projects/shop/features/search-suggestions/environments/staging"]));
    let rules = targeting(&[rule(&[condition("flagservice.user.id", "in", json!(["somebody-else"]))])]);
    process.production_editor().put(&targeting_of("search-suggestions", "staging"), &rules).await.ok(200);
    let again = administrator.post(ERASURES, &json!({ "userId": USER })).await.ok(200);
    assert_eq!(again, json!({ "removed": { "auditLog": 1 }, "rules": [] }));
    assert_overwritten(&database, &[USER]);

    let erased = run(&database, &["user", "erase", &id]).await.ok();
    for kind in ["people", "accessTokens", "preferences", "owners", "auditLog", "approvals", "comments"] {
        assert!(erased.lines().any(|line| line.starts_with(kind)), "{kind} in {erased}");
    }
    assert!(!erased.contains(MARK), "{erased}");
    assert_eq!(run(&database, &["user", "erase", &id]).await.ok().trim(), "Nothing was found.");

    let entries = administrator.get("/api/v1/audit-log?limit=200").await.items();
    assert_eq!(
        (&entries[0]["action"], &entries[0]["resource"]),
        (&json!("user.erase"), &json!("users/removed-person"))
    );
    assert!(!entries[0].to_string().contains(&id), "{}", entries[0]);
    let approvals = administrator.get(&project("/approvals")).await.items();
    let removed = json!({ "id": "removed-person", "name": "Removed person" });
    assert_eq!(approvals.iter().map(|approval| &approval["requestedBy"]).collect::<Vec<_>>(), [&removed, &removed]);
    assert_eq!(approvals[0]["state"], "pending");
    let metrics = administrator.get("/metrics").await.text;
    let log = process.stop().await;
    for (what, text) in [("the first log", &first_log), ("the log", &log), ("the metrics", &metrics)] {
        assert!(text.len() > 1_000 && !text.contains(MARK) && !text.contains(&id), "{what}: {text}");
    }

    let server = Server::start(&database).await;
    let after = server.stored_rows().await;
    for text in [MARK, &id] {
        let left: Vec<_> = after.rows_with(text);
        assert!(left.is_empty(), "{left:?}");
    }
    server.stop().await;
    if database.engine() == Engine::Sqlite {
        assert_no_copy_in_files(&database).await;
    }
}

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

/// Fills pages with goals, a third of them of the user, whose lengths change, so that SQLite has to move them.
async fn move_goals(server: &Server, numbers: &mut Numbers) {
    let mut write = server.app.store.write().await.unwrap();
    let connection = write.connection().await.unwrap();
    let mut ids = Vec::new();
    for number in 0..2_000 {
        ids.push(format!("{:031x}{:031x}", numbers.next(), numbers.next()));
        let user = if numbers.next().is_multiple_of(3) { USER } else { "somebody-else" };
        let goal = "INSERT INTO goals (environment_id, id, key, user_id, features, received_at)
            SELECT MIN(id), $1, 'moved', $2, $3, $4 FROM environments";
        let features = |numbers: &mut Numbers| format!("\"{}\"", "f".repeat((numbers.next() % 400) as usize));
        let goal = sqlx::query(goal).bind(ids[number].as_str()).bind(user).bind(features(numbers)).bind(NOW.0);
        goal.execute(&mut *connection).await.unwrap();
        let other = &ids[numbers.next() as usize % ids.len()];
        let longer = sqlx::query("UPDATE goals SET features = $1 WHERE id = $2").bind(features(numbers));
        longer.bind(other.as_str()).execute(&mut *connection).await.unwrap();
    }
    write.commit().await.unwrap();
}

#[apply(on_sqlite)]
async fn the_command_removes_copies_that_moved_rows_have_left(database: Database) {
    let server = Server::start(&database).await;
    let mut numbers = Numbers(1);
    let file = || std::fs::read(database.file()).unwrap();
    for round in 0.. {
        assert!(round < 20, "SQLite has left no copies, and the page about data says that it does");
        move_goals(&server, &mut numbers).await;
        let erased = server.administrator().post(ERASURES, &json!({ "userId": USER })).await.ok(200);
        assert!(erased["removed"]["goals"].as_u64().unwrap() > 100, "{erased}");
        assert_overwritten(&database, &[USER]);
        if contains(&file(), USER) {
            break;
        }
    }
    // The command says so where it could not empty the log.
    loop {
        let output = run(&database, &["user", "erase", USER]).await;
        let busy = output.err.contains("others were reading");
        output.ok();
        if !busy {
            break;
        }
    }
    assert!(!contains(&file(), USER));
    server.stop().await;
}

/// What a sweep has not removed yet.
#[apply(on_each_database)]
async fn no_copy_is_left_in_changes_deliveries_answers_of_a_destination_and_decisions(database: Database) {
    let receiver = Receiver::start().await;
    receiver.reply_always(Reply::status("400 Bad Request", "", &format!("{PERSON} is unknown.")));
    let server = Server::start_with_destinations(&database, outbound(NOWHERE, NOWHERE)).await;
    let (administrator, person) = (server.administrator(), server.colleague(PERSON, Role::ProductionEditor).await);
    let id = person.get("/api/v1/me").await.ok(200)["id"].as_str().unwrap().to_owned();
    create_webhook(&administrator, receiver.address()).await;
    administrator.patch(&features("/reviews"), &json!({ "approvalRequired": true })).await.ok(200);
    let edit = targeting(&[split(20.0, 80.0)]);
    let pending = server.editor().put(&targeting_of("reviews", "staging"), &edit).await.ok(202);
    let approval = project(&format!("/approvals/{}", pending["id"].as_str().unwrap()));
    person.post(&format!("{approval}/approve"), &json!({})).await.ok(200);
    person.patch(&targeting_of("search-suggestions", "staging"), &json!({ "enabled": false })).await.ok(200);
    delivered(&server).await;

    let before = server.stored_rows().await;
    for table in ["outbox", "deliveries", "integrations", "approvals"] {
        assert!(before.table_contains(table, MARK), "{table} has the mark before");
    }
    run(&database, &["user", "erase", &id]).await.ok();
    let after = server.stored_rows().await;
    for text in [MARK, &id] {
        let left: Vec<_> = after.rows_with(text);
        assert!(left.is_empty(), "{left:?}");
    }
    for table in ["outbox", "deliveries", "integrations", "approvals"] {
        assert_eq!(after.count(table), before.count(table), "{table}");
    }
    let removed = json!({ "id": "removed-person", "name": "Removed person" });
    assert_eq!(administrator.get(&approval).await.ok(200)["decidedBy"], removed);
}

#[apply(on_each_database)]
async fn the_caller_and_the_last_administrator_cannot_be_erased(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let id = administrator.get("/api/v1/me").await.ok(200)["id"].as_str().unwrap().to_owned();
    let before = server.stored_rows().await;
    administrator.post(ERASURES, &json!({ "userId": id })).await.problem(409, "in-use");
    run(&database, &["user", "erase", &id]).await.expect_error(&["needs an administrator"]);
    for nobody in ["", "command-line", "removed-person", "a\u{0}b", &"x".repeat(1_001)] {
        assert_eq!(
            administrator.post(ERASURES, &json!({ "userId": nobody })).await.pointers(),
            ["/userId"],
            "{nobody:?}"
        );
    }
    assert_eq!(server.outsider().await.post(ERASURES, &json!({ "userId": id })).await.ok(200)["removed"], json!({}));
    let changed = before.differences(&server.stored_rows().await);
    assert!(
        changed.iter().filter(|row| !row.starts_with("fan_outs: ")).all(|row| row.contains("Elsa Where")
            || row.contains("Elsewhere")
            || row.contains("api-")
            || row.starts_with("access_tokens")),
        "{changed:?}"
    );
}

/// A colleague of the same name, and a user whose id is a part of others.
#[apply(on_each_database)]
async fn others_stay_as_they_are(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    let browser = server.browser("production");
    let goal = |id: &str, user: &str| json!({ "id": id, "key": "purchase", "userId": user });
    browser
        .goals(&json!([goal("goal-0001", "ann"), goal("goal-0002", "anna"), goal("goal-0003", "ann")]))
        .await
        .ok(202);
    let rules = targeting(&[rule(&[condition("flagservice.user.id", "in", json!(["anna"]))])]);
    administrator.put(&targeting_of("search-suggestions", "staging"), &rules).await.ok(200);
    let before = server.stored_rows().await;
    let erased = administrator.post(ERASURES, &json!({ "userId": "ann" })).await.ok(200);
    assert_eq!(erased, json!({ "removed": { "goals": 2 }, "rules": [] }));
    let changed = before.differences(&server.stored_rows().await);
    let goals = changed.iter().filter(|row| row.starts_with("goals: ") && row.contains("\"ann\"")).count();
    let entries = changed.iter().filter(|row| row.starts_with("audit_log: ") && row.contains("user.erase")).count();
    // A lock that keeps deliveries away meanwhile has a row.
    let locks = changed.iter().filter(|row| row.starts_with("fan_outs: ")).count();
    assert_eq!((goals, entries, changed.len() - locks), (2, 1, 3), "{changed:?}");
}
