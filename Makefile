# The commands of the README. Everything is built by CMake; this file only names the ways in.
.PHONY: setup build run test test-full bench bench-peers format clean
.DEFAULT_GOAL := build

setup:
	@tools/setup

# The program, and the library that `cmake --install build` installs with it.
build: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target abut_cli abut

run: build
	build/abut run scenes/tumbling_box.yaml -o out/tumbling_box --csv

test:
	@tools/setup tools/packages.txt tools/packages-test.txt
	tools/test quick

test-full:
	@tools/setup tools/packages.txt tools/packages-test.txt
	tools/test full

bench:
	@tools/setup tools/packages.txt bench/packages.txt
	bench/run

bench-peers:
	@tools/setup tools/packages.txt bench/packages.txt bench/peers/packages.txt
	bench/peers/run

format:
	git ls-files '*.h' '*.cpp' | xargs clang-format -i

clean:
	rm -rf build build-* out
