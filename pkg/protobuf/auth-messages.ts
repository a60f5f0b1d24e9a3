import { bool, type Field, int, type Message, many, one, optional, text, texts, time } from './message.js';
import { ObjectMeta, SelectorRequirement } from './meta-messages.js';

/** Field numbers of k8s.io/api authorization/v1 and authentication/v1 generated.proto, v0.37.2. */

const metadata = one('metadata', ObjectMeta);
const extra: Field = { name: 'extra', type: { map: 'strings' } };

const SelectorAttributes: Message = { 1: text('rawSelector'), 2: many('requirements', SelectorRequirement) };
const ResourceAttributes: Message = {
  1: text('namespace'),
  2: text('verb'),
  3: text('group'),
  4: text('version'),
  5: text('resource'),
  6: text('subresource'),
  7: text('name'),
  8: one('fieldSelector', SelectorAttributes),
  9: one('labelSelector', SelectorAttributes),
};
const attributes = {
  1: one('resourceAttributes', ResourceAttributes),
  2: one('nonResourceAttributes', { 1: text('path'), 2: text('verb') }),
};
const subjectAccessReviewStatus = one('status', {
  1: bool('allowed'),
  2: text('reason'),
  3: text('evaluationError'),
  4: bool('denied'),
});

export const SelfSubjectAccessReview: Message = {
  1: metadata,
  2: one('spec', attributes),
  3: subjectAccessReviewStatus,
};

export const SubjectAccessReview: Message = {
  1: metadata,
  2: one('spec', { ...attributes, 3: text('user'), 4: texts('groups'), 5: extra, 6: text('uid') }),
  3: subjectAccessReviewStatus,
};

const ResourceRule: Message = {
  1: texts('verbs'),
  2: texts('apiGroups'),
  3: texts('resources'),
  4: texts('resourceNames'),
};
const NonResourceRule: Message = { 1: texts('verbs'), 2: texts('nonResourceURLs') };

export const SelfSubjectRulesReview: Message = {
  1: metadata,
  2: one('spec', { 1: text('namespace') }),
  3: one('status', {
    1: many('resourceRules', ResourceRule),
    2: many('nonResourceRules', NonResourceRule),
    3: bool('incomplete'),
    4: text('evaluationError'),
  }),
};

const UserInfo: Message = { 1: text('username'), 2: text('uid'), 3: texts('groups'), 4: extra };

export const SelfSubjectReview: Message = { 1: metadata, 2: one('status', { 1: one('userInfo', UserInfo) }) };

export const TokenReview: Message = {
  1: metadata,
  2: one('spec', { 1: text('token'), 2: texts('audiences') }),
  3: one('status', { 1: bool('authenticated'), 2: one('user', UserInfo), 3: text('error'), 4: texts('audiences') }),
};

const BoundObjectReference: Message = { 1: text('kind'), 2: text('apiVersion'), 3: text('name'), 4: text('uid') };

export const TokenRequest: Message = {
  1: metadata,
  2: one('spec', {
    1: texts('audiences'),
    3: one('boundObjectRef', BoundObjectReference),
    4: optional(int('expirationSeconds')),
    5: { name: 'attestations', type: { map: 'strings' } },
  }),
  3: one('status', { 1: text('token'), 2: time('expirationTimestamp') }),
};
