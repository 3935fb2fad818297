// The comments on a request, oldest first, with a field to add one, also after the decision.
import { useState } from "react";
import { useChange } from "../../api/changes.js";
import { client } from "../../api/client.js";
import { Button } from "../../parts/button/button.js";
import { formatTime } from "../../parts/display/time.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import type { Approval } from "./approvals.js";

/** The server's limit. */
const MAX_COMMENTS = 200;

interface CommentsProps {
  project: string;
  approval: Approval;
  canComment: boolean;
}

export function Comments({ project, approval: { id, comments }, canComment }: CommentsProps) {
  const isFull = comments.length >= MAX_COMMENTS;
  return (
    <>
      {comments.length === 0 ? (
        <p className="note">No comments yet</p>
      ) : (
        <ol className="approvals-comments" aria-label="Comments">
          {comments.map(({ author, at, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: comments keep their order
            <li key={index}>
              <span className="approvals-comment-head">
                <bdi>{author.name}</bdi>
                <time dateTime={at}>{formatTime(at)}</time>
              </span>
              <bdi className="approvals-text">{text}</bdi>
            </li>
          ))}
        </ol>
      )}
      {!canComment ? (
        <p className="note">Commenting requires the editor role.</p>
      ) : isFull ? (
        <p className="note">This request has reached the limit of {MAX_COMMENTS} comments.</p>
      ) : (
        <CommentForm project={project} id={id} />
      )}
    </>
  );
}

function CommentForm({ project, id }: { project: string; id: string }) {
  const [text, setText] = useState("");
  const [added, setAdded] = useState(false);
  const change = useChange((comment: string) =>
    client.POST("/api/v1/projects/{projectKey}/approvals/{approvalId}/comments", {
      params: { path: { projectKey: project, approvalId: id } },
      body: { comment },
    }),
  );
  const send = async () => {
    setAdded(false);
    const outcome = await change.run(text);
    // What was typed meanwhile is kept.
    if (outcome.kind !== "done") return;
    setText((current) => (current === text ? "" : current));
    setAdded(true);
  };
  return (
    <Form problem={change.problem} pending={change.pending} onSubmit={() => void send()}>
      <TextField label="Your comment" name="comment" lines={2} value={text} onChange={setText} />
      <span>
        <Button type="submit" isPending={change.pending} isDisabled={text.trim() === ""}>
          Comment
        </Button>
        <span className="visually-hidden" role="status">
          {added && "Comment added"}
        </span>
      </span>
    </Form>
  );
}
