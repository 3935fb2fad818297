// Shows an error page in place of a page that failed to load or to render, until another page is opened.
import { Component, type ReactNode } from "react";
import { FailedPage } from "./error-pages.js";

interface ErrorBoundaryProps {
  pathname: string;
  children: ReactNode;
}

interface ErrorBoundaryState {
  pathname: string;
  failure?: { error: unknown } | undefined;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { pathname: this.props.pathname };

  static getDerivedStateFromError(error: unknown): Partial<ErrorBoundaryState> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps(props: ErrorBoundaryProps, state: ErrorBoundaryState): ErrorBoundaryState | null {
    return props.pathname === state.pathname ? null : { pathname: props.pathname, failure: undefined };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure ? <FailedPage error={failure.error} /> : this.props.children;
  }
}
