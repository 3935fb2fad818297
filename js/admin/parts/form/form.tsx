// A form that shows the server's errors at their fields, and all others at the top.
import { type FormEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Form as AriaForm } from "react-aria-components";
import { fieldErrors, type Problem } from "../../api/problem.js";
import { Banner } from "../feedback/banner.js";
import { FieldErrors } from "./field.js";

interface FormProps {
  problem: Problem | undefined;
  onSubmit: () => void;
  children: ReactNode;
}

export function Form({ problem, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [otherErrors, setOtherErrors] = useState<string[]>([]);
  const errors = fieldErrors(problem);

  useLayoutEffect(() => {
    const entries = Object.entries(fieldErrors(problem));
    const withoutField = entries.filter(([name]) => !form.current?.querySelector(`[name="${CSS.escape(name)}"]`));
    setOtherErrors(withoutField.map(([name, detail]) => (name ? `${name}: ${detail}` : detail)));
  }, [problem]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const hasFieldErrors = Object.keys(errors).length > 0;
  return (
    <AriaForm ref={form} className="form" validationBehavior="aria" onSubmit={submit}>
      {problem && (!hasFieldErrors || otherErrors.length > 0) && (
        <Banner tone="bad">
          {problem.detail}
          {otherErrors.map((error) => (
            <div key={error}>{error}</div>
          ))}
        </Banner>
      )}
      <FieldErrors.Provider value={errors}>{children}</FieldErrors.Provider>
    </AriaForm>
  );
}
