import { PLAIN_ANSWERS } from '../../apis/testing/kind-examples.js';
import { ENVIRONMENT } from '../harness/server.js';
import { kindSuite } from './kind-suite.js';
import { widgetExamples } from './widget/examples.js';
import { plainWidget, widget } from './widget/kind.js';
import { permissions } from './widget/permissions.js';
import { plainCallers } from './widget/plain.js';
import { subresources } from './widget/subresources.js';

kindSuite(widget(ENVIRONMENT), widgetExamples, {
  moreKinds: (environment) => [widget(environment)],
  more: [subresources, permissions],
});

kindSuite(
  plainWidget(ENVIRONMENT),
  { ...widgetExamples, answers: PLAIN_ANSWERS },
  { moreKinds: (environment) => [plainWidget(environment)], more: [plainCallers] },
);
