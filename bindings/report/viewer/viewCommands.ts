// The keyboard shortcuts that every page with a 3D view has.
import type { KeyCommands } from './keys.js';
import type { Toolbar } from './toolbar.js';
import type { View } from './view.js';

/**
 * Returns the commands that the keys run.
 *
 * @param clear - Leaves the selected clash and shows the whole model.
 * @param save - Saves the view as a picture.
 */
export const viewCommands = (
  view: View,
  toolbar: Toolbar,
  clear: () => void,
  save: () => void,
): KeyCommands => ({
  Escape: () => {
    if (!view.leaveTool()) clear();
  },
  s: save,
  x: () => view.toggleSection(),
  i: () => view.toggleIsolated(),
  h: () => view.hidePicked(),
  u: () => toolbar.showHidden(),
  m: () => view.measure.setOn(!view.measure.isActive),
});
