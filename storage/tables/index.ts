export { TableFolder } from './folder/folder.js';
export { Checkpointer } from './work/checkpointer.js';
export { Keeper } from './work/keeper.js';
