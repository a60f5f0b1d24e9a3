export { customKinds } from './customresource/kinds.js';
export { startDefinitions } from './customresourcedefinition/cleanup.js';
export { startMigration } from './customresourcedefinition/migrate.js';
export { showBuiltIn } from './customresourcedefinition/show-built-in.js';
