export { Checkpointer } from './checkpointer.js';
export { TableFolder } from './folder.js';
export { Keeper } from './keeper.js';
