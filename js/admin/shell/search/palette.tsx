// The search over everything: type, choose with the arrow keys, and Enter opens it.
import { useState } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { Collection } from "react-aria-components/Collection";
import { Dialog } from "react-aria-components/Dialog";
import { Header } from "react-aria-components/Header";
import { Input } from "react-aria-components/Input";
import { Menu, MenuItem, MenuSection } from "react-aria-components/Menu";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { SearchField } from "react-aria-components/SearchField";
import { Icon } from "../../parts/display/icon.js";
import { useCurrentProject } from "../current-project.js";
import { type Entry, useEntries, useFeaturesElsewhere } from "./entries.js";
import { rank } from "./ranking.js";

export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  return (
    <ModalOverlay className="overlay palette-overlay" isOpen onOpenChange={(open) => !open && onClose()} isDismissable>
      <Modal className="modal palette">
        <Dialog className="dialog" aria-label="Search">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField aria-label="Search everything" className="palette-field" autoFocus>
              <Icon name="search" />
              <Input className="palette-input" placeholder="Search features, pages, people…" />
              <kbd className="key-cap">Esc</kbd>
            </SearchField>
            <Results text={text} onClose={onClose} />
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Results({ text, onClose }: { text: string; onClose: () => void }) {
  const project = useCurrentProject().key;
  const entries = useEntries(project);
  const elsewhere = useFeaturesElsewhere(project, text);
  // Not deferred: Enter opens the first result of all that was typed, never of a part of it.
  const groups = rank([...entries, elsewhere], text);
  return (
    <Menu
      className="options palette-results"
      aria-label="Results"
      items={groups}
      onAction={onClose}
      renderEmptyState={() => <div className="option-empty">Nothing found for "{text}"</div>}
    >
      {({ title, entries }) => (
        <MenuSection id={title}>
          <Header className="options-title">{title}</Header>
          <Collection items={entries.map((entry, index) => ({ ...entry, id: `${title} ${index}` }))}>
            {(entry) => <Result {...entry} />}
          </Collection>
        </MenuSection>
      )}
    </Menu>
  );
}

function Result({ id, href, label, detail, icon }: Entry & { id: string }) {
  return (
    <MenuItem id={id} href={href} className="option" textValue={label}>
      <Icon name={icon} />
      <span className="option-main">
        <bdi>{label}</bdi>
      </span>
      {detail && (
        <span className="palette-detail">
          <bdi>{detail}</bdi>
        </span>
      )}
    </MenuItem>
  );
}
