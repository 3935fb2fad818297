// Marks a feature as a favourite of the signed-in person. A native button: the list has hundreds.
import { Icon } from "../../parts/display/icon.js";

interface FavouriteButtonProps {
  name: string;
  isFavourite: boolean;
  onChange: (isFavourite: boolean) => void;
}

export function FavouriteButton({ name, isFavourite, onChange }: FavouriteButtonProps) {
  return (
    <button
      type="button"
      aria-label={`Favourite: ${name}`}
      aria-pressed={isFavourite}
      onClick={() => onChange(!isFavourite)}
      className="button button-quiet button-icon features-favourite"
    >
      <Icon name="star" />
    </button>
  );
}
