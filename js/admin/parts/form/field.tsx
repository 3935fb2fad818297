// What all fields share: a label above, a hint or an error below.
import { createContext, type ReactNode, useContext } from "react";
import { FieldError, Label, Text } from "react-aria-components";

export interface FieldProps {
  label: string;
  /** The JSON pointer without its leading slash, which binds the server's errors to the field: see api/problem.ts. */
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

/** The server's errors by field name. They stay until the form is submitted again, so that nothing moves while typing. */
export const FieldErrors = createContext<Record<string, string>>({});

/** The error of the field with this name. */
export function useFieldError(name: string | undefined): { isInvalid: boolean; error: string | undefined } {
  const errors = useContext(FieldErrors);
  const error = name === undefined ? undefined : errors[name];
  return { isInvalid: error !== undefined, error };
}

export function FieldNotes({ hint, error }: { hint?: ReactNode; error: string | undefined }) {
  return (
    <>
      {hint && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      <FieldError className="field-error">{error}</FieldError>
    </>
  );
}
