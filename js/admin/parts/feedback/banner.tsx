// A message that stays on the page for as long as it applies.
import type { ReactNode } from "react";
import { Icon, type IconName } from "../display/icon.js";

type BannerTone = "note" | "warn" | "bad" | "good";
const ICONS: Record<BannerTone, IconName> = { note: "information", warn: "warning", bad: "warning", good: "check" };

export function Banner({ tone, children, actions }: { tone: BannerTone; children: ReactNode; actions?: ReactNode }) {
  return (
    <div className={`banner banner-${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon name={ICONS[tone]} />
      <div className="banner-text">{children}</div>
      {actions}
    </div>
  );
}
