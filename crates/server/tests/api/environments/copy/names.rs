//! Names and comments with special characters are copied unchanged.

use macro_rules_attribute::apply;
use serde_json::json;

use super::{ALL, request, require_approval, results, target, targeted};
use crate::fixture::{Server, condition, environment, features, on_default_database, project, rule, targeting};

const ODD: &str =
    "\"quoted\" 'n' \\ `two`\r\nlines\t\u{200f}ימין\u{202e} \u{1f600}\u{1f468}\u{200d}\u{1f469} \u{10ffff}";

#[apply(on_default_database)]
async fn rule_names_feature_names_and_comments_with_special_characters_are_copied_unchanged(database: Database) {
    let server = Server::start(&database).await;
    let administrator = server.administrator();
    for resource in [features("/reviews"), environment("staging", ""), environment("production", "")] {
        administrator.patch(&resource, &json!({ "name": ODD })).await.ok(200);
    }
    let new = json!({ "key": "odd", "name": ODD, "environmentKey": "staging",
        "conditions": [condition(ODD, "equals", json!([ODD]))] });
    administrator.post(&project("/audiences"), &new).await.ok(201);
    let mut odd = rule(&[condition(ODD, "in", json!([ODD, "\u{1f3f3}"]))]);
    odd["name"] = json!(ODD);
    let mut saved = odd.clone();
    saved.as_object_mut().unwrap().remove("conditions");
    saved["audienceKey"] = json!("odd");
    target(&server, "reviews", "staging", &targeting(&[odd.clone(), saved])).await;
    let mut inline = odd.clone();
    inline["conditions"] = new["conditions"].clone();
    let expected = json!([odd, inline]);

    let mut request = request(&["reviews"], &ALL);
    request["comment"] = json!(ODD);
    let before = targeted(&server, "reviews", "production").await;
    for gated in [true, false] {
        if gated {
            require_approval(&server, "reviews").await;
        }
        let outcome = results(&server.production_editor(), &request).await.remove(0);
        assert_eq!(outcome["featureKey"], "reviews");
        if gated {
            let path = project(&format!("/approvals/{}", outcome["approvalId"].as_str().unwrap()));
            let shown = server.read_only().get(&path).await.ok(200);
            assert_eq!((&shown["comment"], &shown["after"]["rules"]), (&json!(ODD), &expected));
            server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
            administrator.post(&format!("{path}/approve"), &json!({ "comment": ODD })).await.ok(200);
        } else {
            assert_eq!(outcome["outcome"], "APPLIED", "{outcome}");
        }
        assert_eq!(targeted(&server, "reviews", "production").await["rules"], expected);
        let resource = "/api/v1/audit-log?resource=projects/shop/features/reviews&limit=1";
        let entry = &server.read_only().get(resource).await.items()[0];
        assert_eq!((&entry["after"]["comment"], &entry["after"]["name"]), (&json!(ODD), &json!(ODD)));
        assert_eq!(entry["after"]["targetings"][0]["targeting"]["rules"], expected);
        let odd_user = json!({ "id": "alice", "attributes": { ODD: ODD } });
        assert_eq!(server.browser("production").load(&odd_user).await.features["reviews"], "on");
        if gated {
            administrator.patch(&features("/reviews"), &json!({ "approvalRequired": false })).await.ok(200);
            target(&server, "reviews", "production", &before).await;
            server.clock.set(flagservice_rules::Instant(server.app.now().0 + 1000));
        }
    }
}
