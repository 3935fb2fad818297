// Starts the application. It reads the session first, so that the sign-in page does not flash.
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { I18nProvider } from "react-aria-components/I18nProvider";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/query-client.js";
import { readSession } from "./api/session.js";
import { ErrorState } from "./parts/feedback/state.js";
import { Pages, preloadPages } from "./routes.js";
import { typefaceReady } from "./typeface.js";

const root = createRoot(document.getElementById("root") as HTMLElement);

async function start(): Promise<void> {
  const typeface = typefaceReady();
  try {
    await readSession();
  } catch (error) {
    root.render(
      <main>
        <title>Flag Service</title>
        <ErrorState error={error} onRetry={() => void start()} />
      </main>,
    );
    return;
  }
  await typeface;
  root.render(
    <StrictMode>
      <I18nProvider locale="en-GB">
        <QueryClientProvider client={queryClient}>
          <Pages />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
  preloadPages();
}

void start();
