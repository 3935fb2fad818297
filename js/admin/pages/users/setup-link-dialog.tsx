// Creates a set-up link for a person and shows it once. With it they create their own token, so that nobody acts for them.
import { problemText } from "../../api/problem.js";
import { Button } from "../../parts/button/button.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { SecretDialog } from "../../parts/dialog/secret-dialog.js";
import { Banner } from "../../parts/feedback/banner.js";
import { Skeleton } from "../../parts/feedback/state.js";
import type { Person } from "./people.js";
import { useSetupLink } from "./use-setup-link.js";

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

export function SetupLinkDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { link, problem } = useSetupLink(person);
  if (link) {
    return (
      <SecretDialog title="Set-up link" label="link" secret={link.url} onClose={onClose}>
        <p>
          Send it to{" "}
          <strong>
            <bdi>{person.name}</bdi>
          </strong>
          , who creates their own token with it. It works once, until {DATE.format(new Date(link.expiresAt))}. Earlier
          links no longer work.
        </p>
      </SecretDialog>
    );
  }
  return (
    <Dialog title="Set-up link" onClose={onClose} pending={!problem}>
      <DialogBody>
        {problem ? <Banner tone="bad">{problemText(problem)}</Banner> : <Skeleton width="100%" height="6rem" />}
      </DialogBody>
      <DialogButtons>
        <Button isDisabled={!problem} onPress={onClose}>
          Close
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
