export { TableFolder } from './folder/folder.js';
export { LocalFiles } from './folder/local-files.js';
export { Checkpointer, type CheckpointLimits } from './work/checkpointer.js';
export type { ScrubLimits } from './work/scrub.js';
export { TableMaintenance } from './work/table-maintenance.js';
