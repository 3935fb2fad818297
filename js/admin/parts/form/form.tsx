// A form that shows a problem where it belongs: at the fields that it names, and otherwise on top.
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
  const [elsewhere, setElsewhere] = useState<string[]>([]);
  const errors = fieldErrors(problem);

  useLayoutEffect(() => {
    const entries = Object.entries(fieldErrors(problem));
    const homeless = entries.filter(([name]) => !form.current?.querySelector(`[name="${CSS.escape(name)}"]`));
    setElsewhere(homeless.map(([name, detail]) => (name ? `${name}: ${detail}` : detail)));
  }, [problem]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const atFields = Object.keys(errors).length > 0;
  return (
    <AriaForm ref={form} className="form" validationBehavior="aria" onSubmit={submit}>
      {problem && (!atFields || elsewhere.length > 0) && (
        <Banner tone="bad">
          {problem.detail}
          {elsewhere.map((sentence) => (
            <div key={sentence}>{sentence}</div>
          ))}
        </Banner>
      )}
      <FieldErrors.Provider value={errors}>{children}</FieldErrors.Provider>
    </AriaForm>
  );
}
