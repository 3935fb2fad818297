// A connection made or changed. Its keys are written and never read: a blank one keeps what is stored.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useChange } from "../../api/changes.js";
import { client, ifMatch } from "../../api/client.js";
import type { Problem } from "../../api/problem.js";
import { resource, type Versioned } from "../../api/queries.js";
import { Button } from "../../parts/button/button.js";
import { Checkbox } from "../../parts/choice/checkbox.js";
import { Select } from "../../parts/choice/select.js";
import { Dialog, DialogBody, DialogButtons } from "../../parts/dialog/dialog.js";
import { Diff } from "../../parts/display/diff.js";
import { Banner } from "../../parts/feedback/banner.js";
import { ErrorState, Skeleton } from "../../parts/feedback/state.js";
import { toast } from "../../parts/feedback/toast.js";
import { Form } from "../../parts/form/form.js";
import { TextField } from "../../parts/form/text-field.js";
import { EnvironmentFilter } from "./environment-filter.js";
import {
  INTEGRATION,
  INTEGRATIONS,
  type Integration,
  type NewIntegration,
  type Place,
  type Region,
} from "./integrations.js";

const REGIONS = [
  { key: "US", label: "US" },
  { key: "EU", label: "EU" },
];

/** Neither region is more likely than the other, so none is chosen for anybody. */
const NO_REGION: Problem = {
  type: "about:blank",
  title: "No region",
  status: 0,
  detail: "The connection has no region.",
  errors: [{ pointer: "/configuration/analytics/region", detail: "Choose the region of the analytics project." }],
};

interface ConnectionFormProps {
  /** Undefined: a new one. */
  id?: string;
  places: readonly Place[] | undefined;
  onClose: () => void;
}

/** What is set, without the keys. */
interface Settings {
  enabled: boolean;
  region: Region | null;
  environmentIds: readonly string[];
}

const NEW: Settings = { enabled: true, region: null, environmentIds: [] };

function settingsOf({ enabled, configuration }: Integration): Settings {
  const { region, filter } = configuration.analytics;
  return { enabled, region, environmentIds: filter.environmentIds ?? [] };
}

/** Reads the connection as it is now before anything of it is changed. */
export function ConnectionForm({ id, places, onClose }: ConnectionFormProps) {
  const queries = useQueryClient();
  const [stored, setStored] = useState<Versioned<Integration>>();
  const [error, setError] = useState<unknown>();
  const [tries, setTries] = useState(0);
  const title = id === undefined ? "Connect analytics" : "Edit the analytics connection";

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads again
  useEffect(() => {
    if (id === undefined) return;
    setError(undefined);
    queries.fetchQuery({ ...resource(INTEGRATION, { path: { id } }), staleTime: 0 }).then(setStored, setError);
  }, [id, queries, tries]);

  if (id === undefined) return <Fields title={title} places={places} onClose={onClose} />;
  if (stored) return <Fields title={title} id={id} stored={stored} places={places} onClose={onClose} />;
  return (
    <Dialog title={title} onClose={onClose}>
      <DialogBody>
        {error === undefined ? (
          <div aria-busy="true">
            <Skeleton width="100%" height="24rem" />
          </div>
        ) : (
          <ErrorState error={error} onRetry={() => setTries(tries + 1)} />
        )}
      </DialogBody>
    </Dialog>
  );
}

interface FieldsProps extends ConnectionFormProps {
  title: string;
  stored?: Versioned<Integration>;
}

function Fields({ title, id, stored, places, onClose }: FieldsProps) {
  const queries = useQueryClient();
  const [settings, setSettings] = useState(stored ? settingsOf(stored.value) : NEW);
  const [apiKey, setApiKey] = useState("");
  const [secretKey, setSecretKey] = useState("");
  const [version, setVersion] = useState(stored?.version);
  /** What somebody else has made of it meanwhile. */
  const [theirs, setTheirs] = useState<Settings>();
  const [missing, setMissing] = useState<Problem>();
  const set = (changes: Partial<Settings>) => setSettings({ ...settings, ...changes });

  const save = useChange(
    (body: NewIntegration) =>
      id === undefined
        ? client.POST("/api/v1/admin/integrations/outbound", { body })
        : client.PUT(INTEGRATION, { params: { path: { id }, header: ifMatch(version) }, body }),
    { refresh: [[INTEGRATIONS], [INTEGRATION]] },
  );
  const submit = async () => {
    const { enabled, region, environmentIds } = settings;
    setMissing(region === null ? NO_REGION : undefined);
    if (region === null) return;
    const keys = { ...(apiKey && { apiKey }), ...(secretKey && { secretKey }) };
    const filter = { environmentIds: [...environmentIds] };
    const outcome = await save.run({
      type: "analytics",
      enabled,
      configuration: { analytics: { region, filter, ...keys } },
    });
    if (outcome.kind === "done") {
      toast({ tone: "good", text: id === undefined ? "Analytics is connected." : "The connection was saved." });
      onClose();
    } else if (outcome.kind === "conflict" && id !== undefined) {
      const now = await queries.fetchQuery({ ...resource(INTEGRATION, { path: { id } }), staleTime: 0 });
      setVersion(now.version);
      setTheirs(settingsOf(now.value));
    }
  };
  const takeTheirs = () => {
    if (theirs) setSettings(theirs);
    setTheirs(undefined);
  };

  const keyHint =
    id === undefined
      ? "Stored encrypted, and never shown again."
      : "It is stored, and never shown. Leave this blank to keep the stored one.";
  return (
    <Dialog title={title} onClose={onClose} dismissable={!save.pending}>
      <Form problem={missing ?? save.problem} onSubmit={() => void submit()}>
        <DialogBody>
          {theirs && (
            <>
              <Banner tone="warn" actions={<Button onPress={takeTheirs}>Take theirs</Button>}>
                Somebody else has changed this connection since you opened it. Nothing was saved. Save again to put
                yours in its place.
              </Banner>
              <Diff before={named(theirs, places)} after={named(settings, places)} labels={["Theirs", "Yours"]} />
            </>
          )}
          <Select
            label="Region"
            name="configuration/analytics/region"
            choices={REGIONS}
            value={settings.region}
            onChange={(region) => set({ region: region as Region })}
            isRequired
            hint="Of the analytics project. In the wrong region its keys are refused: deliveries end in authentication errors."
          />
          <TextField
            label="API key"
            name="configuration/analytics/apiKey"
            type="password"
            autoComplete="off"
            mono
            isRequired={id === undefined ? true : undefined}
            value={apiKey}
            onChange={setApiKey}
            hint={keyHint}
          />
          <TextField
            label="Secret key"
            name="configuration/analytics/secretKey"
            type="password"
            autoComplete="off"
            mono
            isRequired={id === undefined ? true : undefined}
            value={secretKey}
            onChange={setSecretKey}
            hint={keyHint}
          />
          <Checkbox
            label="Enabled: changes are delivered"
            isSelected={settings.enabled}
            onChange={(enabled) => set({ enabled })}
          />
          <EnvironmentFilter
            places={places}
            ids={settings.environmentIds}
            onChange={(environmentIds) => set({ environmentIds })}
          />
        </DialogBody>
        <DialogButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isPending={save.pending}>
            {id === undefined ? "Connect" : "Save"}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

/** The settings with names of environments, for people to compare. */
function named({ environmentIds, ...rest }: Settings, places: readonly Place[] | undefined): unknown {
  const nameOf = (id: string) => {
    const place = places?.find((one) => one.id === id);
    return place ? `${place.project} · ${place.environment}` : id;
  };
  return { ...rest, environments: environmentIds.length === 0 ? "every one" : environmentIds.map(nameOf) };
}
