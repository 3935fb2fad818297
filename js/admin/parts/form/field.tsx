// What fields share: label above, hint or error below. `name` is the JSON pointer of the field without its first slash.
import { createContext, type ReactNode, useContext } from "react";
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

/** The server's errors by name of field. They stay until the form is sent again: nothing moves while somebody types. */
export const FieldErrors = createContext<Record<string, string>>({});

/** The error of a field, and that it is invalid then. */
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
