import { describe, expect, it } from 'vitest';
import { GRANT_ELSEWHERE_REASON, INCOMPLETE_REASON, NOT_ACCEPTING_REASON } from '../../src/protocol/receipt-reasons.js';
import { MEMBER_ID_PATTERN, RESERVED_SURFACE_ID, SURFACE_ID_PATTERN } from '../../src/protocol/author-ids.js';
import * as ERROR_CODES from '../../src/protocol/error-codes.js';
import { EVENT, EXTENSION, FEATURES, PROTOCOL_VERSION } from '../../src/protocol/events.js';
import * as LIMITS from '../../src/protocol/limits.js';
import { READ_EFFECTS } from '../../src/protocol/manifest.js';
import { STANDARD_ERROR_CODES } from '../../src/protocol/standard-error-codes.js';
import * as WARNINGS from '../../src/protocol/warning-codes.js';

/** What crosses the wire, and what others rely on, stands here a second time: changing it is a decision. */
describe('the wire', () => {
  it('has these events', () => {
    expect({ ...EVENT, ...EXTENSION }).toEqual({
      register: 'surface:register',
      deregister: 'surface:deregister',
      request: 'action:request',
      result: 'action:result',
      observation: 'observation:update',
      observationRequest: 'observation:request',
      hello: 'x-oui:hello',
      receipt: 'x-oui:receipt',
      ack: 'x-oui:ack',
      cancel: 'x-oui:cancel',
      approval: 'x-oui:approval',
      ping: 'x-oui:ping',
      pong: 'x-oui:pong',
      attachment: 'x-oui:attachment',
      attachmentPart: 'x-oui:attachment-part',
    });
    expect(FEATURES).toEqual(['receipt', 'ack', 'cancel', 'approval', 'ping', 'index', 'attachment']);
    expect(PROTOCOL_VERSION).toBe('0.1');
  });

  it('has these error codes', () => {
    expect(STANDARD_ERROR_CODES).toEqual([
      'ACTION_NOT_FOUND',
      'VALIDATION_ERROR',
      'PRECONDITION_FAILED',
      'ACTION_DENIED',
      'EXECUTION_ERROR',
      'TIMEOUT',
      'SURFACE_UNAVAILABLE',
      'INTERNAL_ERROR',
    ]);
    const own = Object.values(ERROR_CODES).filter((code) => !STANDARD_ERROR_CODES.includes(code));
    expect(own.sort()).toEqual([
      'APPROVAL_REQUIRED',
      'ATTACHMENTS_UNSUPPORTED',
      'ATTACHMENT_INPUT_UNSUPPORTED',
      'ATTACHMENT_UNAVAILABLE',
      'INVALID_PARAMS',
      'NOT_FOUND',
      'SUPERSEDED',
      'oui:cancelled',
      'oui:not_accepting',
      'oui:rate_limited',
    ]);
  });

  it('has these reasons for a refused receipt', () => {
    expect({ NOT_ACCEPTING_REASON, INCOMPLETE_REASON, GRANT_ELSEWHERE_REASON }).toEqual({
      NOT_ACCEPTING_REASON: 'this client does not accept requests now',
      INCOMPLETE_REASON: 'a request needs requestId, surfaceId and actionId',
      GRANT_ELSEWHERE_REASON: 'this tab was not given the approval that the request names',
    });
  });

  it('has these ids', () => {
    expect(SURFACE_ID_PATTERN.source).toBe('^[a-z][a-z0-9-]*[a-z0-9]$');
    expect(MEMBER_ID_PATTERN.source).toBe('^[a-z][a-z0-9_]*[a-z0-9]$');
    expect(RESERVED_SURFACE_ID).toBe('oui');
    expect([...READ_EFFECTS]).toEqual(['view', 'selection', 'navigate', 'open']);
  });

  it('has these limits', () => {
    expect(LIMITS).toMatchObject({
      actionMs: 30_000,
      compatActionMs: 600_000,
      agentTimeoutMs: 35_000,
      acknowledgmentMs: 5_000,
      dispatchMs: 4_000,
      surfaceReturnMs: 5_000,
      bufferedEvents: 100,
      pullMs: 5_000,
      readMs: 4_000,
      observationCheckMs: 5_000,
      observationCheckLength: 16_384,
      firstObservationCheckLength: 262_144,
      helloMs: 10_000,
      pageReturnMs: 15_000,
      resendMs: 1_000,
      resendMaxMs: 8_000,
      receivedResendMs: 10_000,
      trimmedResultMs: 5_000,
      quietMs: 250,
      settleTimeoutMs: 5_000,
      trackedTimerMs: 1_000,
      idleMs: 3,
      polynomialPatternLength: 200,
      exponentialPatternLength: 14,
      idleTimes: 3,
      hiddenRestMs: 33,
      approvalMs: 300_000,
      approvalMaxMs: 1_800_000,
      approvalArmingMs: 500,
      presenceLingerMs: 2000,
      presenceSpeechMs: 15_000,
      refusalsInARow: 3,
      refusalsWithinMs: 60_000,
      refusalRestMs: 60_000,
      refusalRestMaxMs: 900_000,
      asksOfOneRequest: 5,
      pluginGivenUpMs: 5_000,
      ratePerSecond: 50,
      rateBurst: 100,
      dedupeWindow: 500,
      journalDataLength: 4_096,
      keptMs: 900_000,
      storeMs: 2_000,
      firstMountMs: 5_000,
      clockErrorMs: 1_000,
      observationIntervalMs: 100,
      frameBytes: 1_048_576,
      socketIoFrameBytes: 990_000,
      offlineFrames: 100,
      announceMinMs: 100,
      announceMaxMs: 2_000,
      ackMs: 10_000,
      tokenMs: 10_000,
      frameCloseBytes: 4_194_304,
      resultBytes: 491_520,
      snapshotBytes: 262_144,
      updateBytes: 262_144,
      budgetMinBytes: 32_768,
      readRows: 50,
      describeActions: 1_000,
      reanswerAfterMs: 8_000,
      observationsMinBytes: 16_384,
      cutRows: [200, 50, 20, 5, 0],
      cutTextLength: 2_000,
      indexDescriptionLength: 160,
      indexInputLength: 120,
      messageDepth: 64,
      messageNodes: 100_000,
      valueDepth: 56,
      valueNodes: 10_000_000,
      hardNodes: 1_000_000,
      valueUnits: 134_217_728,
      idLength: 160,
      attachmentsAtOnce: 4,
      attachmentsInList: 20,
      attachmentPartBytes: 262_144,
      attachmentPartMs: 5_000,
      attachmentBytes: 16_777_216,
      hubAttachmentsBytes: 201_326_592,
      hubAttachments: 500,
      hubAttachmentMs: 3_600_000,
      pluginUnitsPerSecond: 4_194_304,
      pluginUnitsAtOnce: 16_777_216,
      pluginEventUnits: 4_096,
      pluginSurfaceUnits: 65_536,
      pluginSurfaces: 50,
      pluginManifestUnits: 245_760,
      pluginValueUnits: 245_760,
      pluginPrefixLength: 30,
      pluginNameLength: 80,
      frameCheckMs: 5_000,
      pingMs: 30_000,
      pongMs: 10_000,
      reconnectMinMs: 1_000,
      reconnectMaxMs: 30_000,
      inspectedFrameLength: 64 * 1024,
      inspectedCalls: 300,
      inspectedFrames: 500,
      inspectedNotes: 200,
      inspectedInputs: 1_000,
      inspectedLength: 4 * 1024 * 1024,
      inspectedMoments: 200,
      inspectedDrawMs: 250,
      savedFileMs: 60_000,
      inspectedShownLength: 20_000,
      inspectedRateMs: 5_000,
      keptSwitches: 1_000,
      workerReadyMs: 3_000,
      mcpCallMs: 45_000,
    });
  });

  it('gives each warning a code of its own', () => {
    const codes = Object.values(WARNINGS);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.filter((code) => !/^OUI[12]\d{3}$/.test(code))).toEqual([]);
  });
});
