/**
 * The kinds of the run: containers, contents with unique titles, a kind with many objects, a custom kind, and
 * permissions.
 */
export const RESOURCES = ['folders', 'dashboards', 'annotations', 'reports', 'rolebindings'] as const;
export type Resource = (typeof RESOURCES)[number];
/** The kinds that the clients write at random. */
export type Written = Exclude<Resource, 'rolebindings'>;

const TYPES: Readonly<Record<Resource, { readonly apiVersion: string; readonly kind: string }>> = {
  folders: { apiVersion: 'folder.svc.app/v1beta1', kind: 'Folder' },
  dashboards: { apiVersion: 'dashboard.svc.app/v1beta1', kind: 'Dashboard' },
  annotations: { apiVersion: 'annotation.svc.app/v1beta1', kind: 'Annotation' },
  reports: { apiVersion: 'example.com/v1', kind: 'Report' },
  rolebindings: { apiVersion: 'iam.svc.app/v1beta1', kind: 'RoleBinding' },
};

/** The annotation that names the folder of an object. */
export const PARENT = 'svc.app/folder';
/** The annotation with the number of the operation that wrote this state. It links every event to an operation. */
export const MARK = 'sim/op';
/** The label that selective lists and watches ask for. */
export const GROUP = 'group';
export const SELECTOR = `${GROUP}=g1`;

export interface SimObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly name: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly creationTimestamp?: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Whether an object waits for an object that it names. */
export function isWaiting({ status }: SimObject): boolean {
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'False') === true;
}

export interface Content {
  readonly name: string;
  readonly title: string;
  readonly parent?: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly op: number;
}

export function pathOf(resource: Resource, name?: string): string {
  const collection = `/apis/${TYPES[resource].apiVersion}/namespaces/default/${resource}`;
  return name === undefined ? collection : `${collection}/${name}`;
}

export function applySetPath(name: string): string {
  return `/apis/apply.svc.app/v1beta1/namespaces/default/applysets/${name}/apply`;
}

/** The body of an atomic apply. */
export function applyRequest(objects: readonly SimObject[], prune: boolean): unknown {
  return {
    apiVersion: 'apply.svc.app/v1beta1',
    kind: 'ApplyRequest',
    spec: { objects, prune: { enabled: prune } },
  };
}

export function objectFor(resource: Resource, { name, title, parent, labels, op }: Content): SimObject {
  const annotations = { [MARK]: String(op), ...(parent !== undefined && { [PARENT]: parent }) };
  const spec = resource === 'annotations' ? { text: title, time: 1_700_000_000_000 } : { title };
  return { ...TYPES[resource], metadata: { name, labels, annotations }, spec };
}

/** The binding by which the robot may write in a folder. */
export function grantFor(name: string, folder: string, op: number): SimObject {
  const spec = {
    subject: { kind: 'ServiceAccount', name: ROBOT },
    roleRef: { kind: 'BuiltIn', name: 'Edit' },
    scope: { folder },
  };
  return { ...TYPES.rolebindings, metadata: { name, annotations: { [MARK]: String(op) } }, spec };
}

/** The account whose permission is given and taken while it writes. */
export const ROBOT = 'robot';

export function revisionOf({ metadata }: Pick<SimObject, 'metadata'>): number {
  return Number(metadata.resourceVersion ?? Number.NaN);
}

export function markOf({ metadata }: SimObject): number {
  return Number(metadata.annotations?.[MARK] ?? Number.NaN);
}

export function parentOf({ metadata }: SimObject): string | undefined {
  return metadata.annotations?.[PARENT];
}

/** The labels that clients set, without those of the server. */
export function ownLabels({ metadata }: SimObject): Readonly<Record<string, string>> {
  const own = Object.entries(metadata.labels ?? {}).filter(([key]) => !key.includes('/'));
  return Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The content of an object as text, without its type, which items of lists do not have. */
export function textOf({ apiVersion: _, kind: __, ...rest }: SimObject): string {
  return JSON.stringify(rest);
}

/** The same without the revision. The object of a deletion is the last state, but with the revision of the deletion. */
export function textWithoutRevision({ metadata, ...rest }: SimObject): string {
  const { resourceVersion: _, ...kept } = metadata;
  return textOf({ ...rest, metadata: kept } as SimObject);
}
