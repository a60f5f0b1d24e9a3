import { ENVIRONMENT } from '../harness/server.js';
import { kindSuite } from './kind-suite.js';
import { widgetExamples } from './widget/examples.js';
import { widget } from './widget/kind.js';
import { permissions } from './widget/permissions.js';
import { subresources } from './widget/subresources.js';

kindSuite(widget(ENVIRONMENT), widgetExamples, { moreKinds: (environment) => [widget(environment)] }, [
  subresources,
  permissions,
]);
