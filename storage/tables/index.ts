export { Checkpointer } from './checkpointer.js';
export { TableFolder } from './folder.js';
