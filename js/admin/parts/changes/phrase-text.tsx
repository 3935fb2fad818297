// A phrase as text; names that have a page are links.
import { Fragment } from "react";
import { Link } from "wouter";
import type { Name, Phrase } from "./phrase.js";

export function PhraseText({ phrase }: { phrase: Phrase }) {
  return phrase.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a phrase keep their order
    <Fragment key={index}>{typeof part === "string" ? part : <NameText {...part} />}</Fragment>
  ));
}

function NameText({ name, href }: Name) {
  if (href === undefined) return <bdi>{name}</bdi>;
  return (
    <Link href={href}>
      <bdi>{name}</bdi>
    </Link>
  );
}
