// A form that shows errors at their fields, and all others at the top. It is not sent while a required field is empty or a value is
// invalid, nor twice.
import { type FormEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Form as AriaForm } from "react-aria-components/Form";
import type { Problem } from "../../api/problem.js";
import { useFormInDialog } from "../dialog/form-in-dialog.js";
import { Banner } from "../feedback/banner.js";
import { FieldErrors } from "./field.js";
import { errorsOf, type FormErrors, type FormField, FormFields, NO_ERRORS, problemsOf } from "./form-fields.js";

interface FormProps {
  problem: Problem | undefined;
  /** Whether it is being sent. */
  pending: boolean;
  onSubmit: () => void;
  children: ReactNode;
}

export function Form({ problem, pending, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [fields] = useState(() => new Map<string, FormField>());
  const [errors, setErrors] = useState<FormErrors>(NO_ERRORS);

  useLayoutEffect(() => setErrors(problem ? errorsOf(problem, fields) : NO_ERRORS), [problem, fields]);
  useEffect(() => {
    if (Object.keys(errors.byField).length > 0) focusFirstInvalid(form.current);
  }, [errors]);

  useFormInDialog(pending);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Enter in a field still submits it.
    if (pending) return;
    const found = problemsOf(fields);
    setErrors(found);
    if (Object.keys(found.byField).length === 0) onSubmit();
  };
  return (
    <AriaForm ref={form} className="form" validationBehavior="aria" onSubmit={submit}>
      {errors.others.length > 0 && (
        <Banner tone="bad">
          {errors.others.map((error) => (
            <div key={error}>{error}</div>
          ))}
        </Banner>
      )}
      <FormFields.Provider value={fields}>
        <FieldErrors.Provider value={errors.byField}>{children}</FieldErrors.Provider>
      </FormFields.Provider>
    </AriaForm>
  );
}

/** The targeting editor is no such form, but does the same. */
export function focusFirstInvalid(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>("[data-invalid] :is(input, textarea, button)")?.focus();
}
