// The size and the abilities of a character.

/** Lengths in meters, times in seconds. */
export interface CharacterSettings {
  radius: number;
  height: number;
  /** The height of the highest step that the character climbs or walks down. */
  stepHeight: number;
  /** The angle of the steepest slope on which the character can stand, in radians. */
  maxSlope: number;
  /** The distance that the capsule keeps from the level. */
  skin: number;
  gravity: number;
  /** The velocity at the start of a jump. */
  jumpSpeed: number;
}

export const defaultSettings: CharacterSettings = {
  radius: 0.3,
  height: 1.8,
  stepHeight: 0.35,
  maxSlope: (50 * Math.PI) / 180,
  skin: 0.01,
  gravity: 15,
  jumpSpeed: 6,
};
