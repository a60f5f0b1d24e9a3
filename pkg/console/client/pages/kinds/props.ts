import type { ComponentChildren } from 'preact';
import type { Resource } from '../../lib/discovery.js';
import type { Row } from './table.js';

/** What the actions on selected rows of a table get. */
export interface SelectedProps {
  readonly resource: Resource;
  readonly selected: readonly Row[];
  /** Ends the selection. */
  readonly onDone: () => void;
  /** The deletion that all kinds have. */
  readonly children: ComponentChildren;
}
