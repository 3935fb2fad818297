// Marks a feature as a favourite of the signed-in person.
import { ToggleButton } from "react-aria-components/ToggleButton";
import { Icon } from "../../parts/display/icon.js";

interface FavouriteButtonProps {
  name: string;
  isFavourite: boolean;
  onChange: (isFavourite: boolean) => void;
}

export function FavouriteButton({ name, isFavourite, onChange }: FavouriteButtonProps) {
  return (
    <ToggleButton
      aria-label={`Favourite: ${name}`}
      isSelected={isFavourite}
      onChange={onChange}
      className="button button-quiet button-icon features-favourite"
    >
      <Icon name="star" />
    </ToggleButton>
  );
}
