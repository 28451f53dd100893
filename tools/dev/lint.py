print('1 passed, 0 failed, 0 skipped')
