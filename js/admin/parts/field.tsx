// What fields share: label above, hint or error below. `name` is the JSON pointer of the field without its first slash.
import type { ReactNode } from "react";
import { FieldError, Label, Text } from "react-aria-components";

export interface FieldProps {
  label: string;
  /** Binds the server's errors to the field, see api/problem.ts. */
  name?: string;
  hint?: ReactNode;
}

export function FieldLabel({ children, required }: { children: ReactNode; required?: boolean }) {
  return (
    <Label className="field-label">
      {children}
      {required === false && <span className="field-optional"> (optional)</span>}
    </Label>
  );
}

export function FieldNotes({ hint }: { hint?: ReactNode }) {
  return (
    <>
      {hint && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error" />
    </>
  );
}
