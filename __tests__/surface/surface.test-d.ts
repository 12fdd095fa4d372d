import type {
  RunAgentInput,
  SubagentErrorEvent,
  SubagentFinishedEvent,
  SubagentStartedEvent,
} from "@ag-ui/client";
import * as official from "@ag-ui/langgraph";
import type * as officialMiddlewares from "@ag-ui/langgraph/middlewares";
import * as ours from "ag-ui-langgraph";
import type * as ourMiddlewares from "ag-ui-langgraph/middlewares";
import type { Observable } from "rxjs";
import type { Adjusted, Differing } from "./compare";

/*
 * Compares the declarations of the official package with ours, member by member, in both directions of use. It is the
 * compiler that fails here; `surface.test.ts` reads the lists below and checks that they leave nothing out.
 */

type SubagentEvents = SubagentStartedEvent | SubagentFinishedEvent | SubagentErrorEvent;

/** A row of the lists of deliberate differences: with what the official type is replaced, and why. */
type Because<Type, _Reason extends string> = Type;

type NominalClasses = "two classes with private members are never the same type: compared member by member";
type MoreEvents = "protocol 1.0 has events about subagents, which clients that speak it are sent";

interface DeliberateValues {
  LangGraphAgent: Because<typeof ours.LangGraphAgent, NominalClasses>;
  LangGraphHttpAgent: Because<typeof ours.LangGraphHttpAgent, NominalClasses>;
}
interface DeliberateMembers {
  run: Because<(input: RunAgentInput) => Observable<official.ProcessedEvents | SubagentEvents>, MoreEvents>;
  use: Because<ours.LangGraphAgent["use"], NominalClasses>;
}
interface DeliberateHttpMembers {
  use: Because<ours.LangGraphHttpAgent["use"], NominalClasses>;
}
interface DeliberateTypes {
  ProcessedEvents: Because<official.ProcessedEvents | SubagentEvents, MoreEvents>;
}

/** Every type that the official package exports, by name. */
interface OfficialTypes {
  A2UIAttemptRecord: official.A2UIAttemptRecord;
  A2UIGuidelines: official.A2UIGuidelines;
  A2UIRecoveryConfig: official.A2UIRecoveryConfig;
  A2UISubagentModel: official.A2UISubagentModel;
  A2UIToolParams: official.A2UIToolParams;
  A2UIValidationCatalog: official.A2UIValidationCatalog;
  LangGraphAgentConfig: official.LangGraphAgentConfig;
  LangGraphPlatformMessage: official.LangGraphPlatformMessage;
  LangGraphReasoning: official.LangGraphReasoning;
  LangGraphToolWithName: official.LangGraphToolWithName;
  MessageInProgress: official.MessageInProgress;
  MessagesInProgressRecord: official.MessagesInProgressRecord;
  PredictStateTool: official.PredictStateTool;
  ProcessedEvents: official.ProcessedEvents;
  ReasoningInProgress: official.ReasoningInProgress;
  RunMetadata: official.RunMetadata;
  SchemaKeys: official.SchemaKeys;
  State: official.State;
  StateEnrichment: official.StateEnrichment;
  StateItem: officialMiddlewares.StateItem;
  ToolCall: official.ToolCall;
}
interface OurTypes {
  A2UIAttemptRecord: ours.A2UIAttemptRecord;
  A2UIGuidelines: ours.A2UIGuidelines;
  A2UIRecoveryConfig: ours.A2UIRecoveryConfig;
  A2UISubagentModel: ours.A2UISubagentModel;
  A2UIToolParams: ours.A2UIToolParams;
  A2UIValidationCatalog: ours.A2UIValidationCatalog;
  LangGraphAgentConfig: ours.LangGraphAgentConfig;
  LangGraphPlatformMessage: ours.LangGraphPlatformMessage;
  LangGraphReasoning: ours.LangGraphReasoning;
  LangGraphToolWithName: ours.LangGraphToolWithName;
  MessageInProgress: ours.MessageInProgress;
  MessagesInProgressRecord: ours.MessagesInProgressRecord;
  PredictStateTool: ours.PredictStateTool;
  ProcessedEvents: ours.ProcessedEvents;
  ReasoningInProgress: ours.ReasoningInProgress;
  RunMetadata: ours.RunMetadata;
  SchemaKeys: ours.SchemaKeys;
  State: ours.State;
  StateEnrichment: ours.StateEnrichment;
  StateItem: ourMiddlewares.StateItem;
  ToolCall: ours.ToolCall;
}

/** What only a subclass sees. */
export class OfficialSubclass extends official.LangGraphAgent {
  protectedMembers() {
    const { collectRunUsage, onInitialize, interruptsToAGUI, buildCommandResumeFromAgui } = this;
    return { collectRunUsage, onInitialize, interruptsToAGUI, buildCommandResumeFromAgui };
  }
}
class OurSubclass extends ours.LangGraphAgent {
  protectedMembers() {
    const { collectRunUsage, onInitialize, interruptsToAGUI, buildCommandResumeFromAgui } = this;
    return { collectRunUsage, onInitialize, interruptsToAGUI, buildCommandResumeFromAgui };
  }
}
export class OfficialHttpSubclass extends official.LangGraphHttpAgent {
  protectedMembers() {
    return { onInitialize: this.onInitialize };
  }
}
class OurHttpSubclass extends ours.LangGraphHttpAgent {
  protectedMembers() {
    return { onInitialize: this.onInitialize };
  }
}
type Protected<Subclass extends { protectedMembers(): unknown }> = ReturnType<Subclass["protectedMembers"]>;

type Official = {
  values: typeof official;
  middlewares: typeof officialMiddlewares;
  types: OfficialTypes;
  members: official.LangGraphAgent;
  protectedMembers: Protected<OfficialSubclass>;
  httpMembers: official.LangGraphHttpAgent;
  protectedHttpMembers: Protected<OfficialHttpSubclass>;
};
type Ours = {
  values: typeof ours;
  middlewares: typeof ourMiddlewares;
  types: OurTypes;
  members: ours.LangGraphAgent;
  protectedMembers: Protected<OurSubclass>;
  httpMembers: ours.LangGraphHttpAgent;
  protectedHttpMembers: Protected<OurHttpSubclass>;
};

/** What is missing or narrower, place by place. A key here is an error that names it. */
const missingOrNarrower: {
  [Place in keyof Official]: Differing<
    Ours[Place],
    Place extends keyof Deliberate ? Adjusted<Official[Place], Deliberate[Place]> : Official[Place]
  >;
} = {
  values: {},
  middlewares: {},
  types: {},
  members: {},
  protectedMembers: {},
  httpMembers: {},
  protectedHttpMembers: {},
};

interface Deliberate {
  values: DeliberateValues;
  members: DeliberateMembers;
  httpMembers: DeliberateHttpMembers;
  types: DeliberateTypes;
}

/** Rows of the lists that are no difference any more. */
const outdated: {
  [Place in keyof Deliberate]: Omit<Deliberate[Place], keyof Differing<Ours[Place], Official[Place]>>;
} = { values: {}, members: {}, httpMembers: {}, types: {} };

/** A configuration of the official package makes our agents. */
const constructible: [
  ConstructorParameters<typeof official.LangGraphAgent> extends ConstructorParameters<
    typeof ours.LangGraphAgent
  >
    ? true
    : "takes another configuration",
  ConstructorParameters<typeof official.LangGraphHttpAgent> extends ConstructorParameters<
    typeof ours.LangGraphHttpAgent
  >
    ? true
    : "takes another configuration",
] = [true, true];

export { constructible, missingOrNarrower, outdated };
