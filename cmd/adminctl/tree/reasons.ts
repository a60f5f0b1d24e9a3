/** Why something in a tree does not become an object. */
const NO_KIND = (what: string): string => `there is no kind for ${what}`;
const NOT_FROM_FILES = (what: string): string => `${what} are not taken from files`;

export const NOTIFICATIONS = NO_KIND('notifications, so their server keeps them');
export const DATA_SOURCES = NO_KIND('data sources, so their server keeps them');
export const SNAPSHOTS = NO_KIND('snapshots');
export const ORGANIZATIONS = 'an import goes into one organization, which exists';
export const USERS = 'people are not made from files: they sign in, or an administrator adds them';
export const VERSIONS = NOT_FROM_FILES('earlier versions');
export const ANNOTATIONS = NOT_FROM_FILES('annotations');
export const CREDENTIALS = 'credentials are not taken from files';
export const ARCHIVE = 'this is an archive: unpack it, and import the folder';
export const NO_DATA = 'this is neither JSON nor YAML';
export const NO_FILE = 'this is no file, or a link to a folder';
export const UNKNOWN = 'this is no dashboard, and nothing else that an import knows';
export const OLDER_RULES = 'the files in alerting-rules have the rules';
export const MANIFEST = 'this is a manifest already: adminctl sync takes it';

export const unknownKind = (kind: string): string => NO_KIND(kind);

/** By the ends of names of grafana-backup-tool. */
export const BY_EXTENSION: Readonly<Record<string, string>> = {
  datasource: DATA_SOURCES,
  alert_channel: NOTIFICATIONS,
  contact_point: NOTIFICATIONS,
  notification_policys: NOTIFICATIONS,
  organization: ORGANIZATIONS,
  user: USERS,
  snapshot: SNAPSHOTS,
  annotation: ANNOTATIONS,
  version: VERSIONS,
  gz: ARCHIVE,
  tgz: ARCHIVE,
  tar: ARCHIVE,
  zip: ARCHIVE,
};

/** By the folders of gdg. */
export const BY_FOLDER: Readonly<Record<string, string>> = {
  connections: DATA_SOURCES,
  'connections-permissions': DATA_SOURCES,
  organizations: ORGANIZATIONS,
  users: USERS,
  secure: CREDENTIALS,
  alerting: NOTIFICATIONS,
};
