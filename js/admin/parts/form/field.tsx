// What all fields share: a label above, a hint or an error below.
import { createContext, type ReactNode, useContext } from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { type FormField, useFormField } from "./form-fields.js";

export interface FieldProps {
  label: string;
  /** The JSON pointer without its leading slash, which binds errors to the field: see form-fields.ts. */
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

/** The errors by field name. They stay until the form is submitted again, so that nothing moves while typing. */
export const FieldErrors = createContext<Readonly<Record<string, string>>>({});

/** Makes a field known to its form, and returns its error. */
export function useField(
  name: string | undefined,
  field: FormField,
): { isInvalid: boolean; error: string | undefined } {
  useFormField(name, field);
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
