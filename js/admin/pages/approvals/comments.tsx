// What people have said about a request, oldest first, and a field to say more; also after the decision.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { Button } from "../../parts/button/button.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import { type Approval, when } from "./approvals.js";

/** As many as the server keeps. */
const MOST = 200;

interface CommentsProps {
  project: string;
  approval: Approval;
  mayComment: boolean;
}

export function Comments({ project, approval: { id, comments }, mayComment }: CommentsProps) {
  const [text, setText] = useState("");
  const change = useChange((comment: string) =>
    client.POST("/api/v1/projects/{projectKey}/approvals/{approvalId}/comments", {
      params: { path: { projectKey: project, approvalId: id } },
      body: { comment },
    }),
  );
  const send = async () => {
    const outcome = await change.run(text);
    if (outcome.kind === "done") setText("");
  };
  return (
    <>
      {comments.length === 0 ? (
        <p className="approvals-quiet">Nobody has said anything yet.</p>
      ) : (
        <ol className="approvals-comments" aria-label="What was said">
          {comments.map(({ author, at, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: comments stay in their order
            <li key={index}>
              <span className="approvals-said">
                <bdi>{author.name}</bdi>
                <time dateTime={at}>{when(at)}</time>
              </span>
              <bdi className="approvals-text">{text}</bdi>
            </li>
          ))}
        </ol>
      )}
      {mayComment && comments.length < MOST && (
        <Form problem={change.problem} onSubmit={() => void send()}>
          <TextField label="Your comment" name="comment" lines={2} value={text} onChange={setText} />
          <span>
            <Button type="submit" isPending={change.pending} isDisabled={text.trim() === ""}>
              Comment
            </Button>
          </span>
        </Form>
      )}
      {!mayComment && <p className="approvals-quiet">Commenting takes the role Editor.</p>}
      {mayComment && comments.length >= MOST && (
        <p className="approvals-quiet">There are {MOST} comments, and no more are kept.</p>
      )}
    </>
  );
}
