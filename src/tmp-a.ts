import { readInline } from './site/restructured/inline.ts'
console.log(
  readInline(
    ":issue:`7310`: Fix ``UnboundLocalError: local variable 'letter' referenced before\nassignment`` in ``_pytest.terminal.pytest_report_teststatus()``\nwhen plugins",
  ),
)
