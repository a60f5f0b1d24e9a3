import { call } from '../../lib/api.js';
import type { Resource } from '../../lib/discovery.js';
import { type BindingSpec, needed } from '../folders/access/entries.js';
import type { Subject } from '../folders/access/subjects.js';
import type { Entry } from './answer.js';
import type { Extent } from './extent-words.js';

/** The verbs of all kinds, in the order in which people think of them. */
export const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;

/** What somebody may do in an organization. */
export interface Summary {
  readonly title: string;
  readonly kinds: readonly { readonly group: string; readonly resource: string; readonly verbs: readonly Extent[] }[];
}

/** Asks what somebody may do, or the caller if there is no subject. */
export async function summaryOf(
  subject: Subject | undefined,
  namespace: string,
  signal: AbortSignal,
): Promise<Summary> {
  const { body } = await call<{ readonly status: Summary }>('POST', reviewPath('accesssummaryreviews', namespace), {
    body: { spec: subject === undefined ? {} : { subject: { kind: subject.kind, name: subject.name } } },
    signal,
  });
  return body.status;
}

/** A folder or a dashboard to which somebody has access. */
export interface Place {
  readonly name: string;
  readonly title: string;
  readonly level: string;
  readonly because?: Entry;
}

export interface Places {
  readonly places: readonly Place[];
  readonly serverAdministrator?: boolean;
  readonly continue?: string;
}

/** Asks for the next folders or dashboards to which somebody has access, and what people call the subject. */
export async function placesOf(
  subject: Subject | undefined,
  namespace: string,
  places: {
    readonly resource: 'folders' | 'dashboards';
    readonly limit?: number;
    readonly continue?: string | undefined;
  },
  signal?: AbortSignal,
): Promise<Places & Pick<Summary, 'title'>> {
  const about = subject === undefined ? {} : { subject: { kind: subject.kind, name: subject.name } };
  const { body } = await call<{ readonly status: { readonly title: string; readonly places: Places } }>(
    'POST',
    reviewPath('accesssummaryreviews', namespace),
    { body: { spec: { ...about, places } }, signal },
  );
  return { title: body.status.title, ...body.status.places };
}

function reviewPath(review: string, namespace: string): string {
  const { group, version } = needed('iam', 'users');
  return `/apis/${group}/${version}/namespaces/${encodeURIComponent(namespace)}/${review}`;
}

export interface Question {
  readonly verb: string;
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

const attributesOf = ({ verb, resource: { group, resource, isNamespaced }, namespace, name }: Question) => ({
  verb,
  group,
  resource,
  name,
  namespace: isNamespaced ? namespace : '',
});

/** One reason for a right, which is enough alone. */
export interface Reason {
  readonly serverAdministrator?: boolean;
  readonly own?: boolean;
  readonly role?: string;
  readonly team?: string;
  readonly binding?: BindingSpec;
}

export interface Allowed {
  readonly kind: 'User' | 'ServiceAccount' | 'Anonymous';
  readonly name: string;
  readonly title?: string;
  readonly login?: string;
  readonly because: readonly Reason[];
}

export interface Answer {
  readonly subjects: readonly Allowed[];
  readonly examined: number;
  readonly continue?: string;
}

/** Those who may do something, among the next users and service accounts that the server examines. */
export async function whoMay(question: Question, next: string, signal?: AbortSignal): Promise<Answer> {
  const path = reviewPath('resourceaccessreviews', question.namespace);
  const { body } = await call<{ readonly status: Answer }>('POST', path, {
    body: { spec: { resourceAttributes: attributesOf(question), continue: next } },
    ...(signal && { signal }),
  });
  return body.status;
}
