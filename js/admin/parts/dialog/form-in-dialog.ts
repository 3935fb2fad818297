// How a form tells the dialog that it is in that it is there, and whether it is being sent.
import { createContext, useContext, useLayoutEffect } from "react";

/** Undefined: there is no form. */
export type FormState = "idle" | "pending" | undefined;

export const FormInDialog = createContext<(state: FormState) => void>(() => {});

export function useFormInDialog(pending: boolean): void {
  const report = useContext(FormInDialog);
  useLayoutEffect(() => {
    report(pending ? "pending" : "idle");
    return () => report(undefined);
  }, [report, pending]);
}
