// What stands around every page: navigation, the project, the person, and what is said about session and connection.
import { useEffect, useRef, useState } from "react";
import { Button as AriaButton, Dialog, DialogTrigger, Modal, ModalOverlay } from "react-aria-components";
import { Navigate, Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router";
import { probe, useReachable } from "../api/connection.js";
import { useSession, useSessionState } from "../api/session.js";
import { Button, IconButton } from "../parts/button/button.js";
import { Icon, Mark } from "../parts/display/icon.js";
import { Banner } from "../parts/feedback/banner.js";
import { Toasts } from "../parts/feedback/toast.js";
import { Navigation } from "./navigation.js";
import { useCurrentProject } from "./project.js";
import { ProjectPicker } from "./project-picker.js";
import { EndedSession, useForgettingOthers } from "./sign-in.js";
import { UserMenu } from "./user-menu.js";

/** Everything but the sign-in page. */
export function Shell() {
  const state = useSessionState();
  const { pathname, search } = useLocation();
  if (state.status === "out" || state.status === "unknown") {
    return <Navigate to="/sign-in" replace state={{ from: pathname + search }} />;
  }
  return (
    <>
      <Frame />
      <Toasts />
      {state.status === "ended" && <EndedSession session={state.session} />}
    </>
  );
}

function Frame() {
  const { user, organisation } = useSession();
  const project = useCurrentProject();
  const opening = useNavigation().state !== "idle";
  useForgettingOthers(user.id);
  useFocusOnPage();
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <div className={opening ? "progress progress-on" : "progress"} aria-hidden="true" />
      <header className="side">
        <div className="brand">
          <Mark />
          <bdi>{organisation.name}</bdi>
        </div>
        <ProjectPicker current={project} />
        <Navigation project={project} />
        <UserMenu />
      </header>
      <header className="bar">
        <Drawer project={project} />
        <Mark />
        <bdi className="bar-name">{organisation.name}</bdi>
      </header>
      <main id="content" tabIndex={-1}>
        <Connection />
        <Outlet />
      </main>
      <ScrollRestoration />
    </div>
  );
}

/** The navigation of a small screen. */
function Drawer({ project }: { project: string | undefined }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <DialogTrigger isOpen={open} onOpenChange={setOpen}>
      <AriaButton className="button button-quiet button-icon" aria-label="Menu">
        <Icon name="menu" />
      </AriaButton>
      <ModalOverlay className="overlay drawer-overlay" isDismissable>
        <Modal className="drawer">
          <Dialog className="drawer-inside" aria-label="Menu">
            <div className="brand">
              <ProjectPicker current={project} />
              <IconButton icon="close" label="Close the menu" onPress={close} />
            </div>
            <Navigation project={project} onFollow={close} />
            <UserMenu />
          </Dialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}

function Connection() {
  if (useReachable()) return null;
  return (
    <div className="connection">
      <Banner tone="bad" actions={<Button onPress={() => void probe()}>Try now</Button>}>
        The server cannot be reached. What you see may be out of date; it goes on by itself once the server is back.
      </Banner>
    </div>
  );
}

/** Another page: its title has the focus, so that a screen reader says where one is and Tab begins at its top. */
function useFocusOnPage(): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  }, [pathname]);
}
