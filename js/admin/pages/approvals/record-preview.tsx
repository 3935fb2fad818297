// The feature before and after a request for a change of its lifecycle, its variants or its type, or for its deletion.
import type { components } from "../../api/schema.js";

type FeatureChange = components["schemas"]["FeatureChange"];
type FeatureRecord = components["schemas"]["FeatureRecord"];

const TYPES = { boolean: "Boolean", string: "String" };

/** Each line of the preview: its label and its text. */
const LINES: [string, (feature: FeatureRecord) => string][] = [
  ["Lifecycle", ({ lifecycle }) => lifecycle],
  ["Variants", ({ variants }) => variants.join(", ")],
  ["Type", ({ type }) => TYPES[type]],
  ["Name", ({ name }) => name],
  ["Description", ({ description }) => description || "None"],
  ["Tags", ({ tags }) => tags.join(", ") || "None"],
  ["Approval", ({ approvalRequired }) => (approvalRequired ? "Required" : "Not required")],
];

export function RecordPreview({ before, after }: FeatureChange) {
  return (
    <div className="approvals-sides">
      <Side title="Before" feature={before} other={after} />
      {after ? <Side title="After" feature={after} other={before} /> : <Deleted />}
    </div>
  );
}

interface SideProps {
  title: "Before" | "After";
  feature: FeatureRecord;
  other: FeatureRecord | null | undefined;
}

function Side({ title, feature, other }: SideProps) {
  const classFor = (text: (feature: FeatureRecord) => string) => {
    const unchanged = !other || text(feature) === text(other);
    return unchanged ? "approvals-line" : `approvals-line approvals-line-${title.toLowerCase()}`;
  };
  return (
    <section className="approvals-one" aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {LINES.map(([label, text]) => (
          <div key={label} className={classFor(text)}>
            <dt>{label}</dt>
            <dd>
              <bdi>{text(feature)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Deleted() {
  return (
    <section className="approvals-one" aria-label="After">
      <h3>After</h3>
      <p>The feature is deleted with its targeting in all environments.</p>
    </section>
  );
}
