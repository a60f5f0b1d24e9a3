import { ownResource, type Resource } from '../../lib/discovery.js';

/** Objects of a kind that name another object in a selectable field. */
export interface Referrer {
  readonly resource: Resource;
  readonly selector: string;
  /** Whether they may be in any namespace. */
  readonly isAnywhere: boolean;
}

type Rule = readonly [about: string, word: string, resource: string, selector: string];

/** Which kinds refer to which. `*` stands for the name. */
const RULES: readonly Rule[] = [
  ['folders', 'iam', 'rolebindings', 'spec.scope.folder=*'],
  ['dashboards', 'iam', 'rolebindings', 'spec.scope.dashboard=*'],
  ['dashboards', 'annotation', 'annotations', 'spec.dashboardUID=*'],
  ['teams', 'iam', 'teambindings', 'spec.teamRef.name=*'],
  ['teams', 'iam', 'rolebindings', 'spec.subject.kind=Team,spec.subject.name=*'],
  ['users', 'iam', 'organizationbindings', 'spec.userRef.name=*'],
  ['users', 'iam', 'teambindings', 'spec.userRef.name=*'],
  ['users', 'iam', 'rolebindings', 'spec.subject.kind=User,spec.subject.name=*'],
  ['roles', 'iam', 'rolebindings', 'spec.roleRef.name=*'],
  ['serviceaccounts', 'iam', 'rolebindings', 'spec.subject.kind=ServiceAccount,spec.subject.name=*'],
  ['serviceaccounts', 'iam', 'rolebindings', 'spec.scope.serviceAccount=*'],
];

/** The kinds whose objects may refer to an object. */
export function referrersOf(resource: Resource, name: string): readonly Referrer[] {
  const [word = ''] = resource.group.split('.');
  if (ownResource(word, resource.resource)?.group !== resource.group) return [];
  return RULES.filter(([about]) => about === resource.resource).flatMap(([, group, plural, selector]) => {
    const found = ownResource(group, plural);
    return found === undefined
      ? []
      : [{ resource: found, selector: selector.replace('*', name), isAnywhere: !resource.isNamespaced }];
  });
}
