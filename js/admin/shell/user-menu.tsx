// The account menu: who is signed in, the theme, and signing out.
import { useState } from "react";
import { Button } from "react-aria-components/Button";
import { Header } from "react-aria-components/Header";
import { Menu, MenuItem, MenuSection, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { problemFrom, problemText } from "../api/problem.js";
import { signOut, useSession } from "../api/session.js";
import { Icon, type IconName } from "../parts/display/icon.js";
import { toast } from "../parts/feedback/toast.js";
import { roleName } from "../roles.js";
import { savedTheme, saveTheme, type Theme } from "../theme.js";

const THEMES: readonly { key: Theme; label: string; icon: IconName }[] = [
  { key: "system", label: "System", icon: "screen" },
  { key: "light", label: "Light", icon: "sun" },
  { key: "dark", label: "Dark", icon: "moon" },
];

export function UserMenu() {
  const { user } = useSession();
  const [theme, setTheme] = useState(savedTheme);
  const select = (next: Theme) => {
    saveTheme(next);
    setTheme(next);
  };
  const endSession = () =>
    signOut().catch((error: unknown) => toast({ tone: "bad", text: problemText(problemFrom(error)) }));
  return (
    <MenuTrigger>
      <Button className="user-button">
        <span className="user-initials" aria-hidden="true">
          {initials(user.name)}
        </span>
        <span className="user-text">
          <bdi className="user-name">{user.name}</bdi>
          <span className="user-role">{roleName(user.role)}</span>
        </span>
        <Icon name="more" />
      </Button>
      <Popover className="popover" placement="top start">
        <Menu className="options" aria-label="Account">
          <MenuSection
            selectionMode="single"
            selectedKeys={[theme]}
            disallowEmptySelection
            onSelectionChange={(keys) => select([...keys][0] as Theme)}
            shouldCloseOnSelect={false}
          >
            <Header className="options-title">Appearance</Header>
            {THEMES.map(({ key, label, icon }) => (
              <MenuItem key={key} id={key} className="option" textValue={label}>
                {({ isSelected }) => (
                  <>
                    <Icon name={icon} />
                    <span className="option-main">{label}</span>
                    {isSelected && <Icon name="check" />}
                  </>
                )}
              </MenuItem>
            ))}
          </MenuSection>
          <MenuSection aria-label="Session">
            <MenuItem id="sign-out" className="option" textValue="Sign out" onAction={() => void endSession()}>
              <Icon name="leave" />
              <span className="option-main">Sign out</span>
            </MenuItem>
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? "")][0]?.toUpperCase() ?? "")
    .join("");
}
