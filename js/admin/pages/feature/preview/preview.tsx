// Tests which variant a user gets, and why. The server evaluates the targeting on the page, saved or not.
import { Form as AriaForm } from "react-aria-components/Form";
import { type Problem, violationText } from "../../../api/problem.js";
import { Button } from "../../../parts/button/button.js";
import type { Targeting } from "../../../parts/changes/targeting.js";
import type { AttributeChoice } from "../../../parts/conditions/operators.js";
import { Banner } from "../../../parts/feedback/banner.js";
import { FieldErrors } from "../../../parts/form/field.js";
import { Section } from "../../../parts/layout/page.js";
import type { TargetingContext } from "../targeting-context.js";
import { EvaluationResult } from "./evaluation-result.js";
import { TestUserFields } from "./test-user-fields.js";
import { usePreview } from "./use-preview.js";

interface PreviewProps {
  context: TargetingContext;
  targeting: Targeting;
  /** An invalid targeting isn't evaluated. */
  isValid: boolean;
  attributes: readonly AttributeChoice[];
}

export function Preview({ context, targeting, isValid, attributes }: PreviewProps) {
  const preview = usePreview(context, targeting, isValid);
  const { user, setUser, invalid, evaluate, loading, result, evaluated, problem } = preview;
  return (
    <Section title="Test a user">
      <AriaForm
        className="targeting-test-user"
        validationBehavior="aria"
        onSubmit={(event) => {
          event.preventDefault();
          evaluate();
        }}
      >
        <FieldErrors.Provider value={invalid}>
          <TestUserFields user={user} attributes={attributes} onChange={setUser} />
        </FieldErrors.Provider>
        <Button type="submit" isPending={loading} isDisabled={!isValid}>
          Evaluate
        </Button>
      </AriaForm>
      <div className="targeting-result" role="status" aria-label="Result">
        {!isValid ? (
          <p className="explanation">Fix the highlighted rules to run a preview.</p>
        ) : Object.keys(invalid).length > 0 ? (
          <p className="explanation">Fix the highlighted attributes to run a preview.</p>
        ) : problem ? (
          <ProblemBanner problem={problem} />
        ) : result && evaluated ? (
          <EvaluationResult result={result} targeting={evaluated} context={context} />
        ) : (
          <p className="explanation">Uses the rules on this page, saved or not. Users are not affected.</p>
        )}
      </div>
    </Section>
  );
}

function ProblemBanner({ problem }: { problem: Problem }) {
  return (
    <Banner tone="bad">
      {problem.errors?.length
        ? problem.errors.map((violation) => <div key={violation.pointer}>{violationText(violation)}</div>)
        : problem.detail}
    </Banner>
  );
}
