// The frame around every page: navigation, project, account, and the state of the session and of the connection.
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Dialog, DialogTrigger } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { Redirect } from "wouter";
import { probe, useReachable } from "../api/connection.js";
import { useSession, useSessionState } from "../api/session.js";
import { Button, IconButton } from "../parts/button/button.js";
import { deferredDialog } from "../parts/dialog/deferred-dialog.js";
import { Icon, Logo } from "../parts/display/icon.js";
import { Banner } from "../parts/feedback/banner.js";
import { Toasts } from "../parts/feedback/toast.js";
import { useShownUrl } from "../shown-url.js";
import { type CurrentProject, useCurrentProject } from "./current-project.js";
import { useKeptFocus } from "./kept-focus.js";
import { Navigation } from "./navigation.js";
import { ProjectSelect } from "./project-select.js";
import { useResetForNewPerson } from "./reset-for-new-person.js";
import { SearchButton } from "./search/search-button.js";
import { useShortcuts } from "./shortcuts/shortcuts.js";
import { UserMenu } from "./user-menu.js";

const SignInDialog = deferredDialog("Your session has ended", async () => (await import("./dialogs.js")).SignInDialog);

/** Everything except the sign-in page. */
export function Shell({ children }: { children: ReactNode }) {
  const state = useSessionState();
  const { pathname, search } = useShownUrl();
  if (state.status === "signedOut" || state.status === "unknown") {
    return <Redirect to="/sign-in" replace state={{ from: pathname + search }} />;
  }
  return (
    <>
      <Frame>{children}</Frame>
      {state.status === "ended" && <SignInDialog session={state.session} onClose={() => {}} />}
    </>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const { user, organisation } = useSession();
  const project = useCurrentProject();
  const { loading } = useShownUrl();
  useResetForNewPerson(user.id);
  useFocusOnNavigation();
  useKeptFocus();
  const { openSearch, dialog } = useShortcuts();
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <div className={loading ? "progress progress-on" : "progress"} aria-hidden="true" />
      <div className="side">
        <header>
          <div className="brand">
            <Logo />
            <bdi>{organisation.name}</bdi>
          </div>
          <ProjectSelect current={project.key} />
          <SearchButton onPress={openSearch} />
          <Navigation current={project} />
          <UserMenu />
        </header>
        <Toasts />
      </div>
      <header className="bar">
        <Drawer project={project} />
        <IconButton icon="search" label="Search" onPress={openSearch} />
        <Logo />
        <bdi className="bar-name">{organisation.name}</bdi>
      </header>
      <main id="content" tabIndex={-1}>
        <ConnectionBanner />
        {children}
      </main>
      {dialog}
    </div>
  );
}

/** The navigation on a small screen. */
function Drawer({ project }: { project: CurrentProject }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <DialogTrigger isOpen={open} onOpenChange={setOpen}>
      <AriaButton className="button button-quiet button-icon" aria-label="Menu">
        <Icon name="menu" />
      </AriaButton>
      <ModalOverlay className="overlay drawer-overlay" isDismissable>
        <Modal className="drawer">
          <Dialog className="drawer-content" aria-label="Menu">
            <div className="brand">
              <ProjectSelect current={project.key} />
              <IconButton icon="close" label="Close menu" onPress={close} />
            </div>
            <Navigation current={project} onFollow={close} />
            <UserMenu />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}

function ConnectionBanner() {
  if (useReachable()) return null;
  return (
    <div className="connection">
      <Banner tone="bad" actions={<Button onPress={() => void probe()}>Try now</Button>}>
        The server can't be reached. This page may be out of date; it reconnects automatically.
      </Banner>
    </div>
  );
}

/** On navigation the page's title gets the focus: a screen reader announces it, and Tab starts at the top of the page. */
function useFocusOnNavigation(): void {
  const { pathname, reachedBy } = useShownUrl();
  const previous = useRef({ pathname, title: null as HTMLElement | null });
  useEffect(() => {
    const title = document.querySelector<HTMLElement>("main h1");
    const before = previous.current;
    previous.current = { pathname, title };
    if (before.pathname === pathname) return;
    // A page that replaces its own address stays as it is. Someone may be using it already.
    if (reachedBy === "replaceState" && title === before.title) return;
    title?.focus({ preventScroll: true });
  }, [pathname, reachedBy]);
}
