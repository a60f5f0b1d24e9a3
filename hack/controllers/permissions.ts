import type { Actions } from './account.js';

const SOURCES = 'source.toolkit.fluxcd.io';
const READ = ['read'];
const ALL = ['read', 'create', 'write', 'delete'];

const OF_EACH: Actions = {
  // To elect a leader, and to tell people what happened.
  leases: ['read', 'create', 'write'],
  events: ['create', 'write'],
};

/** It watches all kinds of sources, and writes the status and the finalizers of those that are used here. */
export const SOURCE_ACTIONS: Actions = {
  ...OF_EACH,
  [`gitrepositories.${SOURCES}`]: ['read', 'write'],
  [`ocirepositories.${SOURCES}`]: READ,
  [`helmrepositories.${SOURCES}`]: READ,
  [`helmcharts.${SOURCES}`]: READ,
  [`buckets.${SOURCES}`]: READ,
};

/** It reads what Kustomizations name, and writes what is in the repository. */
export const KUSTOMIZE_ACTIONS: Actions = {
  ...OF_EACH,
  'kustomizations.kustomize.toolkit.fluxcd.io': ['read', 'write'],
  [`gitrepositories.${SOURCES}`]: READ,
  [`ocirepositories.${SOURCES}`]: READ,
  [`buckets.${SOURCES}`]: READ,
  // Changes of these start it, if a Kustomization names them.
  configmaps: READ,
  secrets: READ,
  // What the repository may contain.
  folders: ALL,
  dashboards: ALL,
  customresourcedefinitions: ALL,
  'slos.boards.example.com': ALL,
};
